using System.Globalization;
using System.Text;

namespace Restore.Shards;

/// <summary>The files of a claim: one that is locked, and one with the owner and the count of its signs of life.</summary>
/// <param name="path">The one with the owner; the other one is beside it.</param>
internal sealed class ClaimFile(string path)
{
    // What the runtime reports when another process has the lock: the number of the error on Linux and macOS, the code on Windows.
    private const int LockedOnLinux = 11;
    private const int LockedOnMac = 35;
    private const int LockedOnWindows = unchecked((int)0x80070020);

    // As long as the name of any owner: whoever writes at the same moment does not cut the other one's name.
    private const int Length = 256;

    private long beat;

    /// <summary>Takes the lock; null if another process has it.</summary>
    public FileStream? TryLock()
    {
        try
        {
            return new FileStream(path + ".lock", FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, bufferSize: 0);
        }
        catch (IOException failure) when (failure.HResult is LockedOnLinux or LockedOnMac or LockedOnWindows)
        {
            return null;
        }
    }

    /// <summary>Whether the lock, which this process has, keeps others out: some file systems give it to everybody.</summary>
    public bool DoesLockExclude()
    {
        using FileStream? second = TryLock();
        return second is null;
    }

    /// <summary>Makes the file with the owner: of several machines that find none, one does.</summary>
    public bool TryMake()
    {
        try
        {
            Open(FileMode.CreateNew, FileAccess.Write).Dispose();
            return true;
        }
        catch (IOException) when (File.Exists(path))
        {
            return false;
        }
    }

    /// <summary>
    /// The owner, and its last sign of life; null if there was none. Opened anew each time: only then a network file system asks its server.
    /// </summary>
    public string[]? Read()
    {
        try
        {
            using FileStream stream = Open(FileMode.Open, FileAccess.Read);
            using StreamReader reader = new(stream);
            return reader.ReadToEnd().Split('\n');
        }
        catch (Exception failure) when (failure is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    }

    /// <summary>Writes the owner with the next count.</summary>
    /// <param name="owner">The owner.</param>
    /// <param name="flushes">
    /// Whether the device must have it. Others see it anyway, and a flush can wait for all that a restore has written: a sign of life must not.
    /// </param>
    public void Write(string owner, bool flushes = true)
    {
        byte[] content = Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{owner}\n{++beat}\n").PadRight(Length));
        using FileStream file = Open(FileMode.OpenOrCreate, FileAccess.Write);
        file.Write(content);
        file.SetLength(content.Length);
        if (flushes)
        {
            file.Flush(flushToDisk: true);
        }
    }

    private FileStream Open(FileMode mode, FileAccess access) => new(path, mode, access, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
}
