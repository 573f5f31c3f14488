using Restore.Format;

namespace Restore.Tests.Restoring;

/// <summary>
/// A target that calls back before each operation on a file system, with the name of the operation.
/// </summary>
internal sealed class WatchedTarget(IRestoreTarget inner, Action<string> before) : IRestoreTarget
{
    /// <summary>
    /// Is called with the path of each file that was opened; what it throws is a failure of the
    /// opening.
    /// </summary>
    public Action<string>? Opened { get; init; }

    /// <summary>
    /// Says whether a file becomes a stream: by its path, the path of what gets the stream, and the
    /// name of the stream. Null for a target without streams.
    /// </summary>
    public Func<string, string, string, bool>? TakeStream { get; init; }

    public bool MayHaveStreams => TakeStream is not null;

    public bool TryMoveIntoStream(string from, string host, string stream, bool overwrite) =>
        TakeStream!(from, host, stream);

    /// <summary>The path of the file that stands for a stream, by its host and its name.</summary>
    public Func<string, string, string>? StreamFile { get; init; }

    public ITargetFile? TryOpenStream(string host, string stream) =>
        StreamFile?.Invoke(host, stream) is { } file && inner.Inspect(file).Kind == TargetKind.File
            ? inner.OpenFile(file, TargetOpenMode.Read)
            : null;

    public string FileSystemOf(string folder) => Watched(nameof(FileSystemOf)).FileSystemOf(folder);

    public TargetRoom RoomAt(string folder) => Watched(nameof(RoomAt)).RoomAt(folder);

    public bool IsEmpty => Watched(nameof(IsEmpty)).IsEmpty;

    public string Display(string path) => inner.Display(path);

    public TargetStatus Inspect(string path) => Watched(nameof(Inspect)).Inspect(path);

    public void CreateFolder(string path) => Watched(nameof(CreateFolder)).CreateFolder(path);

    public ITargetFile OpenFile(string path, TargetOpenMode mode, long sizeBytes = 0)
    {
        ITargetFile file = Watched(nameof(OpenFile)).OpenFile(path, mode, sizeBytes);
        try
        {
            Opened?.Invoke(path);
            return new WatchedFile(file, before);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    public void DeleteFile(string path) => Watched(nameof(DeleteFile)).DeleteFile(path);

    public void CreateSymlink(string path, string linkTarget, bool isFolderLink) =>
        Watched(nameof(CreateSymlink)).CreateSymlink(path, linkTarget, isFolderLink);

    public void Rename(string from, string path, bool withPermissions) =>
        Watched(nameof(Rename)).Rename(from, path, withPermissions);

    public bool TryPutInPlace(string from, string path) => Watched(nameof(TryPutInPlace)).TryPutInPlace(from, path);

    public IReadOnlyList<string> NamesIn(string folder, string prefix) =>
        Watched(nameof(NamesIn)).NamesIn(folder, prefix);

    public void FinishFolders(IEnumerable<string> others, IReadOnlySet<string> left) =>
        Watched(nameof(FinishFolders)).FinishFolders(others, left);

    public bool IsUnfinished(string folder) => Watched(nameof(IsUnfinished)).IsUnfinished(folder);

    public string? ReadSymlink(string path) => Watched(nameof(ReadSymlink)).ReadSymlink(path);

    public bool IsInside(string path, string linkTarget) => inner.IsInside(path, linkTarget);

    public string? Flush() => Watched(nameof(Flush)).Flush();

    public string? FlushFile(string path) => Watched(nameof(FlushFile)).FlushFile(path);

    public IReadOnlyList<string> ApplyMetadata(string path, EntryMetadata metadata, bool withPermissions) =>
        Watched(nameof(ApplyMetadata)).ApplyMetadata(path, metadata, withPermissions);

    public void Dispose() => inner.Dispose();

    private IRestoreTarget Watched(string operation)
    {
        before(operation);
        return inner;
    }

    private sealed class WatchedFile(ITargetFile inner, Action<string> before) : ITargetFile
    {
        public long Length => Watched("Length").Length;

        public long ModifiedTicks => Watched("ModifiedTicks").ModifiedTicks;

        public void Write(long offset, ReadOnlySpan<byte> data) => Watched("Write").Write(offset, data);

        public int Read(long offset, Span<byte> destination) => Watched("Read").Read(offset, destination);

        public void SetLength(long length) => Watched("SetLength").SetLength(length);

        public void Preallocate(long length) => Watched("Preallocate").Preallocate(length);

        public void SetModified(long ticks) => Watched("SetModified").SetModified(ticks);

        public void Flush() => Watched("Flush of a file").Flush();

        public bool TryLock() => Watched("TryLock").TryLock();

        public IReadOnlyList<string> ApplyMetadata(EntryMetadata metadata, bool withPermissions) =>
            Watched("ApplyMetadata of a file").ApplyMetadata(metadata, withPermissions);

        /// <summary>A file is closed even if that fails.</summary>
        public void Dispose()
        {
            try
            {
                before("Close");
            }
            finally
            {
                inner.Dispose();
            }
        }

        private ITargetFile Watched(string operation)
        {
            before(operation);
            return inner;
        }
    }
}
