using Microsoft.Win32.SafeHandles;

namespace Restore.Storage.Local;

/// <summary>The files of a folder that stay open between reads, because a volume of them is being read in chunks. Safe for concurrent use.</summary>
/// <param name="calls">Closes the files: to close one of a share that is gone takes long.</param>
internal sealed class OpenFiles(LocalCalls calls)
{
    private readonly Lock gate = new();
    private readonly Dictionary<string, OpenFile> files = new(StringComparer.Ordinal);

    public OpenFile? Find(string name)
    {
        lock (gate)
        {
            return files.GetValueOrDefault(name);
        }
    }

    /// <summary>Keeps a file open, once a read has opened it, until every result of this is disposed.</summary>
    public IDisposable Keep(string name)
    {
        lock (gate)
        {
            if (!files.TryGetValue(name, out OpenFile? file))
            {
                files.Add(name, file = new OpenFile());
            }

            file.Users++;
            return new Use(this, name, file);
        }
    }

    private void Release(string name, OpenFile file)
    {
        lock (gate)
        {
            if (--file.Users > 0)
            {
                return;
            }

            files.Remove(name);
        }

        if (file.End() is { } handle)
        {
            _ = calls.CloseAsync(handle);
        }
    }

    private sealed class Use(OpenFiles owner, string name, OpenFile file) : IDisposable
    {
        private int isDisposed;

        public void Dispose()
        {
            if (Interlocked.Exchange(ref isDisposed, 1) == 0)
            {
                owner.Release(name, file);
            }
        }
    }
}

/// <summary>A file that stays open between reads, from the first of them on. Safe for concurrent use.</summary>
internal sealed class OpenFile
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
            bool isTaken = !isEnded && handle is null;
            handle = isTaken ? opened : handle;
            return isTaken;
        }
    }

    /// <summary>
    /// Reads what the system has in memory, without waiting for a device: so the caller needs no other thread, and the call no time limit. Shares and user-mode
    /// file systems do not support it, so nothing here waits for a server.
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

            isRefused |= count < 0 && count != -Errno.TryAgain;
            if (count <= 0)
            {
                break;
            }

            filled += count;
        }

        return filled;
    }

    /// <summary>Gives the handle up; null if there is none.</summary>
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
