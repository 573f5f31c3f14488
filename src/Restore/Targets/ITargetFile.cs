namespace Restore.Targets;

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

    /// <summary>
    /// Drops what the system keeps of the file in memory, where it can, so that the next read comes
    /// from the device.
    /// </summary>
    void DropCache() { }

    /// <summary>Cuts or extends the file to this length (an extension reads as zeros).</summary>
    void SetLength(long length);

    /// <summary>
    /// Reserves room for <paramref name="length"/> bytes and makes the file that long; if the file
    /// system cannot reserve, only the latter.
    /// </summary>
    void Preallocate(long length);

    /// <summary>
    /// Gives back the room of a range, which then reads as zeros; the length stays.
    /// </summary>
    /// <returns>False if that is not possible here; the range may have any content then.</returns>
    bool TryMakeHole(long offset, long length) => false;

    /// <summary>
    /// Takes over a range of another file without room of its own, where the file system can share
    /// it.
    /// </summary>
    /// <returns>False if it cannot; nothing changed then.</returns>
    bool TryShare(long offset, ITargetFile from, long length) => false;

    void SetModified(long ticks);

    void Flush();

    /// <summary>
    /// Gives a file that has no name yet, and is finished, a path in its folder, if nothing is
    /// there. A file that is closed without a name gets the path that it was created with.
    /// </summary>
    /// <returns>False if the file has a name, or cannot get this one.</returns>
    bool TryPutInPlace(string path) => false;

    /// <summary>Locks the file against other processes, until it is closed.</summary>
    /// <returns>False if another process has locked it.</returns>
    bool TryLock();

    /// <summary>
    /// Applies metadata through the handle: attributes, with <paramref name="withPermissions"/>
    /// owner then mode, xattrs, and the times last. A file that a restore created gets the usual
    /// mode of a file, at most the recorded one.
    /// </summary>
    /// <returns>What could not be applied, one sentence each; empty if everything was
    /// applied.</returns>
    IReadOnlyList<string> ApplyMetadata(EntryMetadata metadata, bool withPermissions);
}
