namespace Restore.Targets;

internal enum TargetKind : byte
{
    Nothing,
    File,
    Folder,
    Symlink,
    Other,
}

/// <summary>What is at a path, without following a link.</summary>
/// <param name="ModifiedTicks">Last-modified time in UTC ticks.</param>
internal readonly record struct TargetStatus(TargetKind Kind, long SizeBytes, long ModifiedTicks, int LinkCount)
{
    /// <summary>A number that another file, or a change that keeps the time, does not have; 0 where the system has none.</summary>
    public long Identity { get; init; }

    /// <summary>The number of its file system; 0 where that is not known.</summary>
    public ulong FileSystem { get; init; }

    /// <summary>The number of the mount that leads to it: behind a mount point it is another one than before it. 0 where that is not known.</summary>
    public ulong Mount { get; init; }

    /// <summary>Its number in its file system, by whichever path it is reached; 0 where that is not known.</summary>
    public ulong Number { get; init; }

    /// <summary>A number by which a later look sees whether the file was changed; never 0.</summary>
    public long Stamp => (((((SizeBytes * Factor) + ModifiedTicks) * Factor) + Identity) * Factor) | 1;

    // Of a generator of random numbers: it spreads each bit.
    private const long Factor = 0x5851_F42D_4C95_7F2D;
}

/// <summary>The room on a file system of the target.</summary>
/// <param name="FreeBytes">Bytes that can still be written; <see cref="long.MaxValue"/> if that is unknown or nothing is written.</param>
/// <param name="TotalBytes">Its size; <see cref="long.MaxValue"/> if that is unknown.</param>
internal readonly record struct TargetRoom(long FreeBytes, long TotalBytes)
{
    public static TargetRoom Unknown => new(long.MaxValue, long.MaxValue);
}

internal enum TargetOpenMode : byte
{
    /// <summary>Creates an empty file that only its owner may read; fails if the path exists. Metadata gives it the mode of a finished file.</summary>
    CreateNew,

    /// <summary>
    /// Opens an existing file for patching in place. A file with several hard links, or that this user may read but not write,
    /// is first replaced by a copy.
    /// </summary>
    Patch,

    Read,

    /// <summary>Creates a file as <see cref="CreateNew"/> does, or opens the one that another machine has created: both write to it.</summary>
    Share,
}

/// <summary>
/// The target of a restore. Paths are target paths: relative to the root of the target, '/' between components, no empty, '.' or '..' component.
/// The path mapper guarantees that; implementations check again. Safe for concurrent use. No operation follows a link, no matter who created it,
/// and none touches anything outside of the root.
/// The failure of an entry is an <see cref="IOException"/> or <see cref="UnauthorizedAccessException"/> whose message is a plain sentence.
/// A target that is full or cannot be written at all is a <see cref="RestoreException"/> of kind <see cref="RestoreErrorKind.TargetNotWritable"/>.
/// </summary>
internal interface IRestoreTarget : IDisposable
{
    /// <summary>The name of a path in messages: the full path for a file system.</summary>
    string Display(string path);

    /// <summary>Whether the target is empty, so that no entry must be scanned.</summary>
    bool IsEmpty { get; }

    /// <summary>A name for the file system that a folder is on, or will be on when it is created: a target can contain mounts.</summary>
    string FileSystemOf(string folder);

    TargetRoom RoomAt(string folder);

    /// <summary>Whether <see cref="TargetStatus.Mount"/> tells mounts apart, as far as the system has any.</summary>
    bool KnowsMounts => true;

    /// <summary>Whether a new file in the folder of a file can share blocks with that file (<see cref="ITargetFile.TryShare"/>).</summary>
    bool CanShare(string path) => false;

    /// <summary>Returns what is at a path, without following a link at its end. If a parent is missing or is not a folder, nothing is there.</summary>
    TargetStatus Inspect(string path);

    /// <summary>As <see cref="Inspect"/>; what cannot be looked at counts as nothing.</summary>
    TargetStatus TryInspect(string path)
    {
        try
        {
            return Inspect(path);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return default;
        }
    }

    /// <summary>
    /// The names in a folder as the file system spells them; null if they cannot be listed, or if the target's rules for names are known.
    /// </summary>
    IReadOnlySet<string>? SpellingsIn(string folder) => null;

    /// <summary>
    /// Creates the folder and its parents if they do not exist. A link or a file in the way is an <see cref="IOException"/>. A new folder is open to
    /// its owner alone until its metadata is applied, or until <see cref="FinishFolders"/>.
    /// </summary>
    void CreateFolder(string path);

    /// <summary>Opens a file; creates missing parents (not for <see cref="TargetOpenMode.Read"/>). Handles are limited: close it soon.</summary>
    /// <param name="sizeBytes">Its final length, if known: large files may be written in another way than small ones.</param>
    ITargetFile OpenFile(string path, TargetOpenMode mode, long sizeBytes = 0);

    /// <summary>Removes a file that this restore created; does nothing if there is none.</summary>
    void DeleteFile(string path);

    /// <summary>Removes a folder if it is empty. A link, or a folder that is not empty, is an <see cref="IOException"/>; nothing there is none.</summary>
    void DeleteFolder(string path)
    {
    }

    /// <summary>Creates a link; fails if the path exists.</summary>
    /// <param name="linkTarget">The target of the link, as recorded.</param>
    /// <param name="isFolderLink">Whether it pointed to a folder (Windows has two kinds of links).</param>
    void CreateSymlink(string path, string linkTarget, bool isFolderLink);

    /// <summary>
    /// Renames a finished file or link, in one step, over the file or link at a path in the same folder; a folder or something special there is an
    /// <see cref="IOException"/>. A file takes over the extended attributes of the replaced one that it lacks.
    /// </summary>
    /// <param name="withPermissions">Whether it has its own owner and mode; if not, it takes over those of the replaced file.</param>
    void Rename(string from, string path, bool withPermissions);

    /// <summary>Gives a finished file a path in the same folder, in one step, if nothing is there.</summary>
    /// <returns>False if something is there: it stays as it is, and so does the file.</returns>
    bool TryPutInPlace(string from, string path);

    /// <summary>The names in a folder that begin with a prefix; none if there is no folder.</summary>
    /// <exception cref="IOException">The folder cannot be listed.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder must not be listed.</exception>
    IReadOnlyList<string> NamesIn(string folder, string prefix);

    /// <summary>Gives the folders that were created, and got no metadata, the usual mode of a folder.</summary>
    /// <param name="others">Folders that an interrupted restore may have created.</param>
    void FinishFolders(IEnumerable<string> others);

    /// <summary>Whether a folder was created by this restore, or by one that was interrupted, and is not finished: its metadata is still to come.</summary>
    bool IsUnfinished(string folder);

    /// <summary>The target of the link at a path, or null if there is no link.</summary>
    string? ReadSymlink(string path);

    /// <summary>Whether the target of a link, seen from the link's folder, is inside of the root, whichever links are on the way.</summary>
    bool IsInside(string path, string linkTarget);

    /// <summary>
    /// Says which folders a run that was killed has opened to their owner: they get their modes back when the target is disposed of, like those that are opened
    /// from now on.
    /// </summary>
    /// <param name="modes">The modes by path.</param>
    /// <param name="opening">Called with path and mode before a folder is opened.</param>
    void TakeModes(IReadOnlyDictionary<string, int> modes, Action<string, int> opening)
    {
    }

    /// <summary>Waits until the device has everything that was written.</summary>
    /// <returns>
    /// Why the device does not have it, as a sentence; null if it does. Where a system has no such call, files are flushed when they are closed: null.
    /// </returns>
    string? Flush();

    /// <summary>Waits until the device has one file, after <see cref="Flush"/> reported a failure.</summary>
    /// <returns>Why the device does not have it, as a sentence; null if it does, or if nothing is known of this file alone.</returns>
    string? FlushFile(string path);

    /// <summary>Applies metadata to a folder or (no-follow) a link that this restore created.</summary>
    /// <returns>What could not be applied, one sentence each; empty if everything was applied.</returns>
    IReadOnlyList<string> ApplyMetadata(string path, EntryMetadata metadata, bool withPermissions);
}

/// <summary>
/// An open file at the target. Not safe for concurrent use.
/// Closing throws like a write if a (network) file system reports only then that it is full.
/// </summary>
internal interface ITargetFile : IDisposable
{
    long Length { get; }

    /// <summary>The present last-modified time, in UTC ticks.</summary>
    long ModifiedTicks { get; }

    /// <summary>Writes all of <paramref name="data"/> at <paramref name="offset"/>.</summary>
    void Write(long offset, ReadOnlySpan<byte> data);

    /// <summary>Reads until <paramref name="destination"/> is full or the file ends.</summary>
    int Read(long offset, Span<byte> destination);

    /// <summary>Drops what the system keeps of the file in memory, where it can, so that the next read comes from the device.</summary>
    void DropCache()
    {
    }

    /// <summary>Cuts or extends the file to this length (an extension reads as zeros).</summary>
    void SetLength(long length);

    /// <summary>
    /// Reserves room for <paramref name="length"/> bytes and makes the file that long; if the file system cannot reserve, only the latter.
    /// </summary>
    void Preallocate(long length);

    /// <summary>Gives back the room of a range, which then reads as zeros; the length stays.</summary>
    /// <returns>False if that is not possible here; the range may have any content then.</returns>
    bool TryMakeHole(long offset, long length) => false;

    /// <summary>Takes over a range of another file without room of its own, where the file system can share it.</summary>
    /// <returns>False if it cannot; nothing changed then.</returns>
    bool TryShare(long offset, ITargetFile from, long length) => false;

    void SetModified(long ticks);

    void Flush();

    /// <summary>Locks the file against other processes, until it is closed.</summary>
    /// <returns>False if another process has locked it.</returns>
    bool TryLock();

    /// <summary>
    /// Applies metadata through the handle: attributes, with <paramref name="withPermissions"/> owner then mode, xattrs, and the times last. A file that a
    /// restore created gets the usual mode of a file, at most the recorded one.
    /// </summary>
    /// <returns>What could not be applied, one sentence each; empty if everything was applied.</returns>
    IReadOnlyList<string> ApplyMetadata(EntryMetadata metadata, bool withPermissions);
}
