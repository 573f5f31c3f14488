namespace Restore.Targets;

/// <summary>
/// The target of a restore. Paths are target paths: relative to the root of the target, '/' between
/// components, no empty, '.' or '..' component. The path mapper guarantees that; implementations
/// check again. Safe for concurrent use. No operation follows a link, no matter who created it, and
/// none touches anything outside of the root. The failure of an entry is an
/// <see cref="IOException"/> or <see cref="UnauthorizedAccessException"/> with a plain sentence as
/// its message. A target that is full or cannot be written at all is a
/// <see cref="RestoreException"/> of kind <see cref="RestoreErrorKind.TargetNotWritable"/>.
/// </summary>
internal interface IRestoreTarget : IDisposable
{
    /// <summary>The name of a path in messages: the full path for a file system.</summary>
    string Display(string path);

    /// <summary>Whether the target is empty, so that no entry must be scanned.</summary>
    bool IsEmpty { get; }

    /// <summary>
    /// A name for the file system that a folder is on, or will be on when it is created: a target
    /// can contain mounts.
    /// </summary>
    string FileSystemOf(string folder);

    TargetRoom RoomAt(string folder);

    /// <summary>
    /// Whether <see cref="TargetStatus.Mount"/> distinguishes mounts, as far as the system has any.
    /// </summary>
    bool KnowsMounts => true;

    /// <summary>
    /// Whether a new file in the folder of a file can share blocks with that file
    /// (<see cref="ITargetFile.TryShare"/>).
    /// </summary>
    bool CanShare(string path) => false;

    /// <summary>
    /// Returns what is at a path, without following a link at its end. If a parent is missing or is
    /// not a folder, nothing is there.
    /// </summary>
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
    /// The names in a folder as the file system spells them; null if they cannot be listed, or if
    /// the target's rules for names are known.
    /// </summary>
    IReadOnlySet<string>? SpellingsIn(string folder) => null;

    /// <summary>
    /// Creates the folder and its parents if they do not exist. A link or a file in the way is an
    /// <see cref="IOException"/>. A new folder is open to its owner alone until its metadata is
    /// applied, or until <see cref="FinishFolders"/>.
    /// </summary>
    void CreateFolder(string path);

    /// <summary>
    /// Opens a file; creates missing parents (not for <see cref="TargetOpenMode.Read"/>). Handles
    /// are limited: close it soon.
    /// </summary>
    /// <param name="sizeBytes">Its final length, if known: large files may be written in another
    /// way than small ones.</param>
    ITargetFile OpenFile(string path, TargetOpenMode mode, long sizeBytes = 0);

    /// <summary>
    /// Removes a file that this restore created. Does nothing if the path does not exist.
    /// </summary>
    void DeleteFile(string path);

    /// <summary>
    /// Removes an empty folder. Does nothing if the path does not exist. Throws an
    /// <see cref="IOException"/> if the folder is not empty or the path is a link.
    /// </summary>
    void DeleteFolder(string path) { }

    /// <summary>Creates a link; fails if the path exists.</summary>
    /// <param name="linkTarget">The target of the link, as recorded.</param>
    /// <param name="isFolderLink">Whether it pointed to a folder (Windows has two kinds of
    /// links).</param>
    void CreateSymlink(string path, string linkTarget, bool isFolderLink);

    /// <summary>
    /// Renames a finished file or link, in one step, over the file or link at a path in the same
    /// folder. Throws an <see cref="IOException"/> if a folder or something special is there. A
    /// file takes over the extended attributes of the replaced file that it lacks.
    /// </summary>
    /// <param name="withPermissions">Whether the file keeps its own owner and mode; if not, it
    /// takes over the owner and mode of the replaced file.</param>
    void Rename(string from, string path, bool withPermissions);

    /// <summary>
    /// Gives a finished file a path in the same folder, in one step, if nothing is there.
    /// </summary>
    /// <returns>False if something is there: it stays as it is, and so does the file.</returns>
    bool TryPutInPlace(string from, string path);

    /// <summary>Whether files and folders may have streams beside their content.</summary>
    bool MayHaveStreams => false;

    /// <summary>
    /// Makes a finished file a stream of another file or folder, which keeps its times and
    /// attributes.
    /// </summary>
    /// <param name="from">The finished file.</param>
    /// <param name="host">What gets the stream.</param>
    /// <param name="stream">The name of the stream.</param>
    /// <param name="overwrite">Whether a stream of that name with other bytes is replaced.</param>
    /// <returns>False if the file system has no streams there, if nothing is at the path of the
    /// host, or if the stream is there with other bytes: the file stays as it is.</returns>
    bool TryMoveIntoStream(string from, string host, string stream, bool overwrite) => false;

    /// <summary>Opens a stream to read it; null if it is not there.</summary>
    ITargetFile? TryOpenStream(string host, string stream) => null;

    /// <summary>
    /// The names in a folder that begin with a prefix; none if there is no folder.
    /// </summary>
    /// <exception cref="IOException">The folder cannot be listed.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder must not be listed.</exception>
    IReadOnlyList<string> NamesIn(string folder, string prefix);

    /// <summary>
    /// Gives the folders that were created, and got no metadata, the usual mode of a folder.
    /// </summary>
    /// <param name="others">Folders that an interrupted restore may have created.</param>
    /// <param name="left">Folders that stay unfinished, because their metadata is lost.</param>
    void FinishFolders(IEnumerable<string> others, IReadOnlySet<string> left);

    /// <summary>
    /// Whether a folder was created by this restore, or by one that was interrupted, and is not
    /// finished: its metadata is still to come.
    /// </summary>
    bool IsUnfinished(string folder);

    /// <summary>The target of the link at a path, or null if there is no link.</summary>
    string? ReadSymlink(string path);

    /// <summary>
    /// Whether the target of a link, seen from the link's folder, is inside of the root, whichever
    /// links are on the way.
    /// </summary>
    bool IsInside(string path, string linkTarget);

    /// <summary>
    /// Says which folders a run that was killed has opened to their owner: they get their modes
    /// back when the target is disposed of, like those that are opened from now on.
    /// </summary>
    /// <param name="modes">The modes by path.</param>
    /// <param name="opening">Called with path and mode before a folder is opened.</param>
    void TakeModes(IReadOnlyDictionary<string, int> modes, Action<string, int> opening) { }

    /// <summary>Waits until the device has everything that was written.</summary>
    /// <returns>Why the device does not have it, as a sentence; null if it does. Where a system
    /// has no such call, files are flushed when they are closed: null.</returns>
    string? Flush();

    /// <summary>
    /// Waits until the device has one file, after <see cref="Flush"/> reported a failure.
    /// </summary>
    /// <returns>Why the device does not have it, as a sentence; null if it does, or if nothing is
    /// known of this file alone.</returns>
    string? FlushFile(string path);

    /// <summary>
    /// Applies metadata to a folder or (no-follow) a link that this restore created.
    /// </summary>
    /// <returns>What could not be applied, one sentence each; empty if everything was
    /// applied.</returns>
    IReadOnlyList<string> ApplyMetadata(string path, EntryMetadata metadata, bool withPermissions);
}
