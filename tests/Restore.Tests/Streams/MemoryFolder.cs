namespace Restore.Tests.Streams;

/// <summary>A folder in memory, as a caller may have one.</summary>
internal sealed class MemoryFolder : IExportFolder
{
    public Dictionary<string, byte[]> Files { get; } = [];

    public SortedSet<string> Folders { get; } = new(StringComparer.Ordinal);

    /// <summary>A name that it does not take.</summary>
    public string? Refuses { get; init; }

    public string DisplayName => "memory";

    public ValueTask<long?> FindFileAsync(string path, CancellationToken cancellationToken) =>
        Folders.Contains(path)
            ? throw new IOException("A folder is there")
            : ValueTask.FromResult<long?>(Files.TryGetValue(path, out byte[]? content) ? content.Length : null);

    public ValueTask<int> ReadAsync(
        string path,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken
    )
    {
        Memory<byte> rest = Files[path].AsMemory((int)offset);
        Memory<byte> part = rest[..Math.Min(rest.Length, destination.Length)];
        part.CopyTo(destination);
        return ValueTask.FromResult(part.Length);
    }

    public ValueTask CreateFolderAsync(string path, CancellationToken cancellationToken)
    {
        Folders.Add(path);
        return ValueTask.CompletedTask;
    }

    public ValueTask<IExportFile> CreateFileAsync(string path, CancellationToken cancellationToken) =>
        Path.GetFileName(path) == Refuses
            ? throw new IOException("The name is not allowed")
            : ValueTask.FromResult<IExportFile>(new MemoryFile(this, path));

    private sealed class MemoryFile(MemoryFolder folder, string path) : IExportFile
    {
        private readonly MemoryStream content = new();

        public ValueTask WriteAsync(ReadOnlyMemory<byte> data, CancellationToken cancellationToken) =>
            content.WriteAsync(data, cancellationToken);

        public ValueTask CommitAsync(CancellationToken cancellationToken)
        {
            folder.Files[path] = content.ToArray();
            return ValueTask.CompletedTask;
        }

        public ValueTask DisposeAsync() => content.DisposeAsync();
    }
}
