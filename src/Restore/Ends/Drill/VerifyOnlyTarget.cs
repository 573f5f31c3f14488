using Restore.Format;

namespace Restore.Ends.Drill;

/// <summary>The target of a drill: counts and drops everything. It is always empty, and writes nothing.</summary>
internal sealed class VerifyOnlyTarget : IRestoreTarget
{
    private readonly string rootPath;
    private readonly Lock gate = new();
    private readonly Dictionary<string, string?> made = new(StringComparer.Ordinal);
    private long bytesWritten;
    private long filesCreated;

    /// <param name="rootPath">Where the restore would go, so that the drill treats links as the restore would; null: the root of the file system.</param>
    public VerifyOnlyTarget(string? rootPath = null) => this.rootPath = Path.GetFullPath(rootPath ?? "/");

    public bool IsEmpty => true;

    public bool CanReadBack => false;

    /// <summary>Bytes that a restore would have written.</summary>
    public long BytesWritten => Interlocked.Read(ref bytesWritten);

    /// <summary>Files that a restore would have created.</summary>
    public long FilesCreated => Interlocked.Read(ref filesCreated);

    public string Display(string path) => path.Length == 0 ? rootPath : Path.Join(rootPath, path);

    public string FileSystemOf(string folder) => "";

    public TargetRoom RoomAt(string folder) => TargetRoom.Unknown;

    public TargetStatus Inspect(string path)
    {
        TargetPath.Check(path, orRoot: true);
        return default;
    }

    public void CreateFolder(string path)
    {
        TargetPath.Check(path, orRoot: true);
        Remember(path, linkTarget: null);
    }

    public ITargetFile OpenFile(string path, TargetOpenMode mode, long sizeBytes = 0)
    {
        TargetPath.Check(path);
        if (mode == TargetOpenMode.Read)
        {
            throw new IOException($"'{Display(path)}' does not exist: a drill writes nothing");
        }

        // Patching means that a file of this restore is continued: there are no others.
        if (mode != TargetOpenMode.Patch)
        {
            Interlocked.Increment(ref filesCreated);
        }

        return new DroppedFile(this);
    }

    public void DeleteFile(string path) => TargetPath.Check(path);

    public void CreateSymlink(string path, string linkTarget, bool isFolderLink)
    {
        TargetPath.Check(path);
        TargetPath.CheckLinkTarget(Display(path), linkTarget);
        Remember(path, linkTarget);
    }

    public void Rename(string from, string path, bool withPermissions)
    {
        TargetPath.Check(from);
        TargetPath.Check(path);
    }

    public bool TryPutInPlace(string from, string path)
    {
        TargetPath.Check(from);
        TargetPath.Check(path);
        return true;
    }

    public IReadOnlyList<string> NamesIn(string folder, string prefix) => [];

    public void FinishFolders(IEnumerable<string> others)
    {
    }

    public string? ReadSymlink(string path) => null;

    public bool IsInside(string path, string linkTarget) => new LinkReach(rootPath, LookAtMade).IsInside(path, linkTarget);

    public IReadOnlyList<string> ApplyMetadata(string path, EntryMetadata metadata, bool withPermissions) => [];

    public string? Flush() => null;

    public string? FlushFile(string path) => null;

    public void Dispose()
    {
    }

    private void Remember(string path, string? linkTarget)
    {
        lock (gate)
        {
            made[path] = linkTarget;
        }
    }

    /// <summary>What a restore would have made there by now.</summary>
    private (TargetKind Kind, string? LinkTarget) LookAtMade(string path)
    {
        lock (gate)
        {
            return path.Length == 0 ? (TargetKind.Folder, null)
                : !made.TryGetValue(path, out string? linkTarget) ? default
                : linkTarget is null ? (TargetKind.Folder, null)
                : (TargetKind.Symlink, linkTarget);
        }
    }

    private sealed class DroppedFile(VerifyOnlyTarget owner) : ITargetFile
    {
        public long Length { get; private set; }

        public long ModifiedTicks { get; private set; }

        public void Write(long offset, ReadOnlySpan<byte> data)
        {
            Interlocked.Add(ref owner.bytesWritten, data.Length);
            Length = Math.Max(Length, offset + data.Length);
        }

        public int Read(long offset, Span<byte> destination) => throw new InvalidOperationException("A drill keeps nothing to read; ask CanReadBack first");

        public void SetLength(long length) => Length = length;

        public void Preallocate(long length) => Length = length;

        public void SetModified(long ticks) => ModifiedTicks = ticks;

        public void Flush()
        {
        }

        public bool TryLock() => true;

        public IReadOnlyList<string> ApplyMetadata(EntryMetadata metadata, bool withPermissions) => [];

        public void Dispose()
        {
        }
    }
}
