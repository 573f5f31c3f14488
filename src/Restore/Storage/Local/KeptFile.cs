using Microsoft.Win32.SafeHandles;

namespace Restore.Storage.Local;

/// <summary>
/// A file that stays open between reads, from the first of them on. Safe for concurrent use.
/// </summary>
internal sealed class KeptFile
{
    private readonly Lock gate = new();
    private SafeFileHandle? handle;
    private bool isEnded;
    private volatile bool isRefused = !OperatingSystem.IsLinux();

    /// <summary>Counted by the owner.</summary>
    public int Users { get; set; }

    /// <summary>Null until a read has opened the file, and after the end.</summary>
    public SafeFileHandle? Handle => Volatile.Read(ref handle);

    /// <summary>Takes over the handle of a read.</summary>
    /// <returns>Whether it did; if not, the reader closes the handle.</returns>
    public bool TryTake(SafeFileHandle opened)
    {
        lock (gate)
        {
            // Two reads can open the file at the same time, and a read can end after the last user.
            // Only one handle is kept, and none after the end, because no other user would close
            // it.
            bool isTaken = !isEnded && handle is null;
            handle = isTaken ? opened : handle;
            return isTaken;
        }
    }

    /// <summary>
    /// Reads what the system has in memory, without waiting for a device. So the caller needs no
    /// other thread and no time limit. Network shares and user-mode file systems do not support
    /// such reads, so this never waits for a server.
    /// </summary>
    /// <returns>How many bytes came; the rest has to be read in the usual way.</returns>
    public int ReadAtOnce(long offset, Span<byte> destination)
    {
        int filled = 0;
        while (filled < destination.Length && !isRefused && Handle is { } open)
        {
            int count;
            try
            {
                count = Kernel.ReadAtOnce(open, destination[filled..], offset + filled);
            }
            catch (ObjectDisposedException)
            {
                break;
            }

            // "Try again" means that the bytes are not in memory, which the next read can change.
            // After any other error such reads are not tried again.
            isRefused |= count < 0 && count != -Errno.TryAgain;
            if (count <= 0)
            {
                break;
            }

            filled += count;
        }

        return filled;
    }

    /// <summary>
    /// Ends the use of the file and returns its handle, for the caller to close; null if the file
    /// is not open.
    /// </summary>
    public SafeFileHandle? End()
    {
        lock (gate)
        {
            isEnded = true;
            SafeFileHandle? open = handle;
            Volatile.Write(ref handle, null);
            return open;
        }
    }
}
