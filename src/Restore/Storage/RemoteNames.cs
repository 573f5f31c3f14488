namespace Restore.Storage;

/// <summary>Which names in a server's listing can be files of a flat folder.</summary>
internal static class RemoteNames
{
    private const int MaxLength = 1024;

    public static bool IsPlain(string name) =>
        name.Length is > 0 and <= MaxLength
        && name is not ("." or "..")
        && name.AsSpan().IndexOfAny('/', '\\') < 0
        && !name.Any(char.IsControl);

    /// <summary>A path for a URL: every segment escaped, the slashes kept.</summary>
    public static string EscapePath(string path) => string.Join('/', path.Split('/').Select(Uri.EscapeDataString));
}
