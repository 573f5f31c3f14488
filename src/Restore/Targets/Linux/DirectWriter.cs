using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Restore.Targets.Linux;

/// <summary>
/// Collects what is written to one file, in order, and writes it past the page cache in large aligned pieces; what does not fill a piece, and what the file
/// system will not take so, goes through the cache. A result below zero is the negative error number.
/// </summary>
internal sealed class DirectWriter(DirectWrites shared, byte[] buffer)
{
    private readonly int start = PaddingOf(buffer);
    private long offset;
    private int length;
    private bool isDirect;

    public int Write(int handle, long offset, ReadOnlySpan<byte> data)
    {
        int result = 0;
        while (data.Length > 0 && result >= 0)
        {
            if (offset != this.offset + length)
            {
                result = Flush(handle);
                this.offset = offset;
            }

            // A piece that starts between two multiples ends at one, so that the next is aligned.
            int room = DirectWrites.BufferBytes - (int)(this.offset % DirectWrites.AlignmentBytes) - length;
            int taken = Math.Min(room, data.Length);
            data[..taken].CopyTo(buffer.AsSpan(start + length));
            length += taken;
            data = data[taken..];
            offset += taken;
            result = result < 0 ? result : taken == room ? Flush(handle) : 0;
        }

        return result;
    }

    /// <summary>Writes what is collected. What cannot be written is dropped: the file has failed.</summary>
    public int Flush(int handle)
    {
        Span<byte> collected = buffer.AsSpan(start, length);
        bool isDirect = offset % DirectWrites.AlignmentBytes == 0 && shared.IsWorthwhile;
        int aligned = isDirect ? length / DirectWrites.AlignmentBytes * DirectWrites.AlignmentBytes : 0;
        int direct = aligned > 0 ? WriteDirect(handle, collected[..aligned]) : 0;
        int result = direct < 0 ? direct : WriteCached(handle, collected[direct..], offset + direct);
        offset += length;
        length = 0;
        return result;
    }

    /// <summary>Lets what follows go through the cache, reads too.</summary>
    public int End(int handle)
    {
        int result = Flush(handle);
        SetDirect(handle, false);
        return result;
    }

    public void GiveBack() => shared.GiveBack(buffer);

    /// <summary>Writes as much as the file system takes.</summary>
    /// <returns>How much that was.</returns>
    private int WriteDirect(int handle, ReadOnlySpan<byte> data)
    {
        int done = 0;
        while (done < data.Length)
        {
            long started = Stopwatch.GetTimestamp();
            int written = SetDirect(handle, true);
            written = written < 0 ? written : Kernel.Write(handle, data[done..], offset + done);
            if (written is -Errno.Invalid or -Errno.NotSupported)
            {
                shared.Refuse();
                return done;
            }

            if (written < 0)
            {
                return written;
            }

            shared.Note(written, Stopwatch.GetElapsedTime(started));
            done += written;
        }

        return done;
    }

    private int WriteCached(int handle, ReadOnlySpan<byte> data, long offset)
    {
        int written = 0;
        for (int done = 0; done < data.Length && written >= 0; done += written)
        {
            SetDirect(handle, false);
            written = Kernel.Write(handle, data[done..], offset + done);
        }

        return Math.Min(0, written);
    }

    private int SetDirect(int handle, bool isDirect)
    {
        int result = isDirect == this.isDirect ? 0 : Kernel.SetDirect(handle, isDirect);
        this.isDirect = result >= 0 ? isDirect : this.isDirect;
        return result;
    }

    /// <summary>Bytes before the first aligned address; the array is pinned.</summary>
    private static unsafe int PaddingOf(byte[] buffer)
    {
        nuint address = (nuint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(buffer));
        return (int)((DirectWrites.AlignmentBytes - (address % DirectWrites.AlignmentBytes)) % DirectWrites.AlignmentBytes);
    }
}
