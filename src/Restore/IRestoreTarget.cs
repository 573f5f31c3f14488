using Restore.Format;

namespace Restore;

/// <summary>What is at a path of the target.</summary>
internal enum TargetKind : byte
{
    Nothing,
    File,
    Folder,
    Symlink,
    Other,
}

/// <summary>What a look at the target found, without following a link.</summary>
/// <param name="Kind">What is there.</param>
/// <param name="SizeBytes">Length of a file.</param>
/// <param name="ModifiedTicks">Last-modified time in UTC ticks.</param>
/// <param name="LinkCount">Hard links of a file.</param>
internal readonly record struct TargetStatus(TargetKind Kind, long SizeBytes, long ModifiedTicks, int LinkCount);

/// <summary>How a file is opened at the target.</summary>
internal enum TargetOpenMode : byte
{
    /// <summary>It must not exist; created empty.</summary>
    CreateNew,

    /// <summary>What is there (a file, or a link, which is replaced and not followed) is removed first.</summary>
    Replace,

    /// <summary>
    /// An existing file is opened to be patched in place. One with several hard links, or that this user may read but not write,
    /// is replaced by a copy of its own first.
    /// </summary>
    Patch,

    /// <summary>An existing file is opened for reading only.</summary>
    Read,
}

/// <summary>
/// A place that files are restored to. Paths are target paths: relative to the root of the target, '/' between components, no empty, '.' or '..' component
/// (the path mapper makes them so; an implementation checks again). Safe for concurrent use. Nothing ever goes through a link, whoever made it,
/// and nothing is touched outside of the root.
/// An entry's failure is an <see cref="IOException"/> or <see cref="UnauthorizedAccessException"/> whose message is a plain sentence;
/// a target that is full or cannot be written at all is a <see cref="RestoreException"/> of kind <see cref="RestoreErrorKind.TargetNotWritable"/>.
/// </summary>
internal interface IRestoreTarget : IDisposable
{
    /// <summary>What to call a path in messages: the full path for a file system.</summary>
    string Display(string path);

    /// <summary>Bytes that can still be written, or <see cref="long.MaxValue"/> when that is not known or nothing is written.</summary>
    long FreeBytes { get; }

    /// <summary>Whether nothing is there yet, so that no entry needs a look.</summary>
    bool IsEmpty { get; }

    /// <summary>
    /// Whether what was written can be read again. If not (a drill), a file whose blocks did not come in order can only be verified by their hashes.
    /// </summary>
    bool CanReadBack { get; }

    /// <summary>Looks at a path without following a link at its end. A parent that is missing, or is no folder, means nothing is there.</summary>
    TargetStatus Inspect(string path);

    /// <summary>Makes sure that the folder and its parents exist. A link or a file in the way is an <see cref="IOException"/>.</summary>
    void CreateFolder(string path);

    /// <summary>Opens a file; missing parents are created (not for <see cref="TargetOpenMode.Read"/>). The handle is one of few: close it soon.</summary>
    /// <param name="path">Where.</param>
    /// <param name="mode">How.</param>
    /// <param name="sizeBytes">How long it is going to be, if that is known: large files may be written another way than small ones.</param>
    ITargetFile OpenFile(string path, TargetOpenMode mode, long sizeBytes = 0);

    /// <summary>Removes a file that this run created; nothing there is no error.</summary>
    void DeleteFile(string path);

    /// <summary>
    /// Creates a link. An existing link or, with <paramref name="replace"/>, file is replaced;
    /// an existing folder is an <see cref="IOException"/>, never deleted.
    /// </summary>
    /// <param name="path">Where.</param>
    /// <param name="linkTarget">What it points to, as recorded.</param>
    /// <param name="isFolderLink">Whether it pointed to a folder (Windows tells these apart).</param>
    /// <param name="replace">Whether something of another kind may be replaced.</param>
    void CreateSymlink(string path, string linkTarget, bool isFolderLink, bool replace);

    /// <summary>What the link at a path points to, or null when no link is there.</summary>
    string? ReadSymlink(string path);

    /// <summary>Whether what a link points to, seen from the link's folder, is inside of the root whichever links there are on the way.</summary>
    bool IsInside(string path, string linkTarget);

    /// <summary>Applies metadata to a folder or (no-follow) a link that this run restored.</summary>
    /// <returns>What could not be applied, as sentences; empty when all was.</returns>
    IReadOnlyList<string> ApplyMetadata(string path, EntryMetadata metadata, bool withPermissions);
}

/// <summary>
/// An open file at the target. Not safe for concurrent use.
/// Closing throws as a write does when the file system (a network one) only then says that it has no room.
/// </summary>
internal interface ITargetFile : IDisposable
{
    /// <summary>Its length now.</summary>
    long Length { get; }

    /// <summary>Its last-modified time now, in UTC ticks.</summary>
    long ModifiedTicks { get; }

    /// <summary>Writes all of <paramref name="data"/> at <paramref name="offset"/>.</summary>
    void Write(long offset, ReadOnlySpan<byte> data);

    /// <summary>Reads until <paramref name="destination"/> is full or the file ends.</summary>
    int Read(long offset, Span<byte> destination);

    /// <summary>Cuts or extends the file to this length (an extension reads as zeros).</summary>
    void SetLength(long length);

    /// <summary>Asks the file system for the room of <paramref name="length"/> bytes and makes the file that long; where it cannot, only the latter.</summary>
    void Preallocate(long length);

    /// <summary>Sets only the last-modified time.</summary>
    void SetModified(long ticks);

    /// <summary>Applies metadata through the handle: attributes, with <paramref name="withPermissions"/> owner then mode, xattrs, and the times last.</summary>
    /// <returns>What could not be applied, as sentences; empty when all was.</returns>
    IReadOnlyList<string> ApplyMetadata(EntryMetadata metadata, bool withPermissions);
}
