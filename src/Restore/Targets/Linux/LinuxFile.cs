using Restore.Format;

namespace Restore.Targets.Linux;

/// <summary>An open file: its bare handle and one system call for each operation.</summary>
internal sealed class LinuxFile(LinuxTarget target, string path, int handle) : ITargetFile
{
    private int _handle = handle;

    public long Length => Status().SizeBytes;

    public long ModifiedTicks => Status().ModifiedTicks;

    public void Write(long offset, ReadOnlySpan<byte> data)
    {
        while (data.Length > 0)
        {
            int written = Check(Kernel.Write(_handle, data, offset), "could not be written");
            data = data[written..];
            offset += written;
        }
    }

    public int Read(long offset, Span<byte> destination)
    {
        int total = 0;
        while (total < destination.Length)
        {
            int read = Check(Kernel.Read(_handle, destination[total..], offset + total), "could not be read");
            if (read == 0)
            {
                break;
            }

            total += read;
        }

        return total;
    }

    public void SetLength(long length) => Check(Kernel.Truncate(_handle, length), "could not be given its length");

    public void Preallocate(long length)
    {
        int result = length > 0 ? Kernel.Allocate(_handle, length) : 0;
        if (result is -Errno.NoSpace or -Errno.QuotaExceeded or -Errno.TooBig)
        {
            Check(result, "could not be given its room");
        }

        // Also cuts a longer file, and stands in where the file system cannot allocate.
        SetLength(length);
    }

    public void SetModified(long ticks) => Check(Kernel.SetModified(_handle, ticks), "could not be given its time");

    public IReadOnlyList<string> ApplyMetadata(EntryMetadata metadata, bool withPermissions)
    {
        var shortfalls = default(Shortfalls);
        target.Metadata.Apply(_handle, isFolder: false, metadata, withPermissions, ref shortfalls);
        return shortfalls.ToList();
    }

    public void Dispose()
    {
        int open = _handle;
        _handle = -1;
        int result = open < 0 ? 0 : Kernel.Close(open);
        if (result is -Errno.NoSpace or -Errno.QuotaExceeded or -Errno.InputOutput)
        {
            Check(result, "could not be written to its end");
        }
    }

    private FileStatus Status()
    {
        Check(Kernel.StatusOfHandle(_handle, out FileStatus status), "could not be looked at");
        return status;
    }

    private int Check(int result, string what) => result < 0 ? throw KernelFailure.Of(-result, target.Display(path), what) : result;
}
