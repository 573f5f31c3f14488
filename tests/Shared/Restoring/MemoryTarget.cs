using System.Collections.Concurrent;
using Restore.Format;

namespace Restore.Tests.Restoring;

/// <summary>A target in memory that counts open files and reads, and can inject failures.</summary>
internal sealed class MemoryTarget : IRestoreTarget
{
    private int openFiles;
    private int mostOpenFiles;
    private long bytesRead;

    public ConcurrentDictionary<string, byte[]> Files { get; } = [];

    /// <summary>Called before a path is looked at.</summary>
    public Action<string>? BeforeInspect { get; set; }

    /// <summary>Called before a file is written to or gets its length.</summary>
    public Action<string>? BeforeWrite { get; set; }

    /// <summary>Called when a file is closed.</summary>
    public Action<string>? OnClose { get; set; }

    /// <summary>Files that are open.</summary>
    public int OpenFiles => openFiles;

    /// <summary>The most files that were open at once.</summary>
    public int MostOpenFiles => mostOpenFiles;

    public long BytesRead => bytesRead;

    public string FileSystemOf(string folder) => "";

    public TargetRoom RoomAt(string folder) => TargetRoom.Unknown;

    public bool IsEmpty => Files.IsEmpty;

    public string Display(string path) => "memory:" + path;

    public TargetStatus Inspect(string path)
    {
        BeforeInspect?.Invoke(path);
        return Files.TryGetValue(path, out byte[]? file)
            ? new TargetStatus(TargetKind.File, file.Length, 0, 1)
            : default;
    }

    public void CreateFolder(string path) { }

    public ITargetFile OpenFile(string path, TargetOpenMode mode, long sizeBytes = 0)
    {
        if (mode is TargetOpenMode.Read or TargetOpenMode.Patch && !Files.ContainsKey(path))
        {
            throw new FileNotFoundException($"There is no {Display(path)}");
        }

        if (mode == TargetOpenMode.CreateNew && !Files.TryAdd(path, []))
        {
            throw new IOException($"There is a {Display(path)}");
        }

        int open = Interlocked.Increment(ref openFiles);
        mostOpenFiles = Math.Max(mostOpenFiles, open);
        return new OpenFileOf(this, path);
    }

    public void DeleteFile(string path) => Files.TryRemove(path, out _);

    public void CreateSymlink(string path, string linkTarget, bool isFolderLink) => throw new NotSupportedException();

    public void Rename(string from, string path, bool withPermissions)
    {
        Assert.True(Files.TryRemove(from, out byte[]? file));
        Files[path] = file;
    }

    public bool TryPutInPlace(string from, string path)
    {
        if (Files.ContainsKey(path))
        {
            return false;
        }

        Rename(from, path, withPermissions: false);
        return true;
    }

    public IReadOnlyList<string> NamesIn(string folder, string prefix) => [];

    public void FinishFolders(IEnumerable<string> others, IReadOnlySet<string> left) { }

    public bool IsUnfinished(string folder) => true;

    public string? ReadSymlink(string path) => null;

    public bool IsInside(string path, string linkTarget) => true;

    public IReadOnlyList<string> ApplyMetadata(string path, EntryMetadata metadata, bool withPermissions) => [];

    public string? Flush() => null;

    public string? FlushFile(string path) => null;

    public void Dispose() { }

    private sealed class OpenFileOf(MemoryTarget owner, string path) : ITargetFile
    {
        private bool isClosed;

        public long Length => owner.Files[path].Length;

        public long ModifiedTicks => 0;

        public void Write(long offset, ReadOnlySpan<byte> data)
        {
            owner.BeforeWrite?.Invoke(path);
            byte[] content = owner.Files[path];
            if (content.Length < offset + data.Length)
            {
                Array.Resize(ref content, (int)offset + data.Length);
                owner.Files[path] = content;
            }

            data.CopyTo(content.AsSpan((int)offset));
        }

        public int Read(long offset, Span<byte> destination)
        {
            ReadOnlySpan<byte> rest = owner.Files[path].AsSpan((int)Math.Min(offset, Length));
            rest = rest[..Math.Min(rest.Length, destination.Length)];
            rest.CopyTo(destination);
            Interlocked.Add(ref owner.bytesRead, rest.Length);
            return rest.Length;
        }

        public void SetLength(long length)
        {
            owner.BeforeWrite?.Invoke(path);
            byte[] content = owner.Files[path];
            Array.Resize(ref content, (int)length);
            owner.Files[path] = content;
        }

        public void Preallocate(long length) => SetLength(length);

        public void SetModified(long ticks) { }

        public void Flush() { }

        public bool TryLock() => true;

        public IReadOnlyList<string> ApplyMetadata(EntryMetadata metadata, bool withPermissions) => [];

        public void Dispose()
        {
            Assert.False(isClosed, $"{path} was closed twice.");
            isClosed = true;
            Interlocked.Decrement(ref owner.openFiles);
            owner.OnClose?.Invoke(path);
        }
    }
}
