using Microsoft.Win32.SafeHandles;
using Restore.Ends.Unix;

namespace Restore.Ends.Portable;

/// <summary>An open file through System.IO.</summary>
internal sealed class PortableFile(
    PortableTarget target,
    string path,
    SafeFileHandle handle,
    bool isWritable,
    bool isFlushed
) : ITargetFile
{
    private bool isLocked;

    public long Length => RandomAccess.GetLength(handle);

    public long ModifiedTicks => File.GetLastWriteTimeUtc(handle).Ticks;

    public void Write(long offset, ReadOnlySpan<byte> data)
    {
        try
        {
            RandomAccess.Write(handle, data, offset);
        }
        catch (Exception exception) when (PortableFailure.IsExpected(exception))
        {
            throw PortableFailure.Of(exception, target.Display(path), "could not be written");
        }
    }

    public int Read(long offset, Span<byte> destination)
    {
        try
        {
            return handle.ReadFully(offset, destination);
        }
        catch (Exception exception) when (PortableFailure.IsExpected(exception))
        {
            throw PortableFailure.Of(exception, target.Display(path), "could not be read");
        }
    }

    public void SetLength(long length) =>
        Guarded(() => RandomAccess.SetLength(handle, length), "could not be given its length");

    /// <summary>
    /// System.IO can reserve room only when it creates a file; on Windows the length reserves it.
    /// </summary>
    public void Preallocate(long length) => SetLength(length);

    public void SetModified(long ticks) =>
        Guarded(
            () => File.SetLastWriteTimeUtc(handle, new DateTime(ticks, DateTimeKind.Utc)),
            "could not be given its time"
        );

    public void Flush() => Guarded(() => RandomAccess.FlushToDisk(handle), "was not taken by the device");

    /// <summary>
    /// On Windows a file that is open for writing cannot be opened for that by another process.
    /// </summary>
    public bool TryLock()
    {
        if (!OperatingSystem.IsWindows())
        {
            isLocked = UnixCalls.TryLock(handle);
            return isLocked;
        }

        try
        {
            using SafeFileHandle? second = isWritable
                ? null
                : File.OpenHandle(target.FullPath(path), FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }

    public IReadOnlyList<string> ApplyMetadata(EntryMetadata metadata, bool withPermissions)
    {
        // On Windows a read-only handle cannot set anything.
        SafeFileHandle? usable = isWritable || !OperatingSystem.IsWindows() ? handle : null;
        return target.Metadata.Apply(usable, target.FullPath(path), TargetKind.File, metadata, withPermissions);
    }

    public void Dispose()
    {
        try
        {
            if (isFlushed && isWritable && !handle.IsClosed)
            {
                Flush();
            }
        }
        finally
        {
            if (isLocked && !handle.IsClosed)
            {
                // A process that is being started has a copy of the handle for a moment, and with
                // it the lock.
                UnixCalls.Unlock(handle);
            }

            handle.Dispose();
        }
    }

    private void Guarded(Action action, string what)
    {
        try
        {
            action();
        }
        catch (Exception exception) when (PortableFailure.IsExpected(exception))
        {
            throw PortableFailure.Of(exception, target.Display(path), what);
        }
    }
}
