namespace Restore.Ends.Linux;

/// <summary>An open file: a bare handle, and one system call for each operation.</summary>
/// <param name="directWrites">Decides about direct writes; null to use the cache.</param>
/// <param name="unnamedIn">The folder of a file that has no name yet; null if it has one.</param>
internal sealed class LinuxFile(
    LinuxTarget target,
    string path,
    int handle,
    DirectWrites? directWrites,
    Folder? unnamedIn = null
) : ITargetFile
{
    private const string NotWritten = "could not be written";
    private const int ShareUnit = 4096;

    private int handle = handle;
    private Folder? unnamedIn = unnamedIn;
    private DirectWriter? direct = directWrites is null ? null : new DirectWriter(directWrites, handle);

    // The failure of a late write may be met while something else is done, which fails then; the
    // close reports it again.
    private int lateFailure;
    private bool isLocked;

    private bool mayShare = true;

    public long Length => Status().SizeBytes;

    public long ModifiedTicks => Status().ModifiedTicks;

    public void Write(long offset, ReadOnlySpan<byte> data)
    {
        int result = direct is not null ? direct.Write(offset, data) : Kernel.WriteAll(handle, data, offset);
        Check(result, NotWritten);
    }

    public int Read(long offset, Span<byte> destination)
    {
        EndDirect();
        int total = 0;
        while (total < destination.Length)
        {
            int read = Check(Kernel.Read(handle, destination[total..], offset + total), "could not be read");
            if (read == 0)
            {
                break;
            }

            total += read;
        }

        return total;
    }

    public void DropCache() => Kernel.DropCache(handle);

    public void SetLength(long length)
    {
        EndDirect();
        Check(Kernel.Truncate(handle, length), "could not be given its length");
    }

    public void Preallocate(long length)
    {
        int result = length > 0 ? Kernel.Allocate(handle, length) : 0;
        if (result is -Errno.NoSpace or -Errno.QuotaExceeded or -Errno.TooBig)
        {
            Check(result, "could not be given its room");
        }

        // Also cuts a longer file, and works where the file system cannot allocate.
        Check(Kernel.Truncate(handle, length), "could not be given its length");
    }

    public bool TryMakeHole(long offset, long length)
    {
        EndDirect();
        return Kernel.MakeHole(handle, offset, length) == 0;
    }

    public bool TryShare(long offset, ITargetFile from, long length)
    {
        if (!mayShare || from is not LinuxFile other)
        {
            return false;
        }

        bool isShared = Kernel.ShareRange(handle, other.handle, offset, length) >= 0;

        // The last block of a file can have a length that cannot be shared; another one that cannot
        // says that no block can.
        mayShare = isShared || length % ShareUnit != 0;
        return isShared;
    }

    public void SetModified(long ticks)
    {
        EndDirect();
        Check(Kernel.SetModified(handle, ticks), "could not be given its time");
    }

    public void Flush()
    {
        EndDirect();
        Check(Kernel.FlushContent(handle), "was not taken by the device");
    }

    /// <summary>A file system without locks locks nothing.</summary>
    public bool TryLock()
    {
        int result = Kernel.TryLock(handle);
        isLocked |= result >= 0;
        return result != -Errno.TryAgain;
    }

    public IReadOnlyList<string> ApplyMetadata(EntryMetadata metadata, bool withPermissions)
    {
        EndDirect();
        var shortfalls = default(UnappliedMetadata);
        target.Metadata.Apply(handle, isFolder: false, metadata, withPermissions, ref shortfalls);
        return shortfalls.ToList();
    }

    public bool TryPutInPlace(string path) => unnamedIn is not null && Name(path) >= 0;

    public void Dispose()
    {
        int open = handle;
        int named = open < 0 || unnamedIn is null ? 0 : Name(path);
        EndNaming();
        DirectWriter? ended = direct;
        (handle, direct) = (-1, null);
        int written = ended?.End() ?? lateFailure;
        if (isLocked && open >= 0)
        {
            // A process that is being started has a copy of the handle for a moment, and with it
            // the lock.
            Kernel.Unlock(open);
        }

        int result = open < 0 ? 0 : Kernel.Close(open);
        Check(named, "could not be created");
        Check(written, NotWritten);
        if (result != -Errno.Interrupted)
        {
            Check(result, "could not be written to its end");
        }
    }

    /// <summary>Gives the file a name, if nothing has it.</summary>
    private int Name(string path)
    {
        int result = LinuxTarget.Name(handle, unnamedIn!, path);
        if (result >= 0)
        {
            EndNaming();
        }

        return result;
    }

    private void EndNaming()
    {
        unnamedIn?.Dispose();
        unnamedIn = null;
    }

    /// <summary>Switches to the cache: everything written so far is in the file.</summary>
    private void EndDirect()
    {
        if (direct is { } ended)
        {
            direct = null;
            lateFailure = ended.End();
            Check(lateFailure, NotWritten);
        }
    }

    private FileStatus Status()
    {
        EndDirect();
        Check(Kernel.StatusOfHandle(handle, out FileStatus status), "could not be looked at");
        return status;
    }

    private int Check(int result, string what) => result < 0 ? throw target.Failure(-result, path, what) : result;
}
