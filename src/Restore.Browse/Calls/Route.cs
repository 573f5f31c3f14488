namespace Restore.Browse.Calls;

/// <summary>
/// The method is null for all; a path that ends with a separator includes all paths below.
/// </summary>
internal sealed record Route<TCall>(string? Method, string Path, Func<TCall, Task> Handle)
{
    public bool IsAt(string path) =>
        Path == path || (Path.EndsWith('/') && $"{path}/".StartsWith(Path, StringComparison.Ordinal));
}
