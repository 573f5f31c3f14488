namespace Restore.Shards;

/// <summary>
/// The files of a lease: one that is locked, and one with the owner and the count of its
/// heartbeats.
/// </summary>
internal sealed class LeaseFile(string path)
{
    // What the runtime reports when another process has the lock: the number of the error on
    // Linux and macOS, the code on Windows.
    private const int LockedOnLinux = 11;
    private const int LockedOnMac = 35;
    private const int LockedOnWindows = unchecked((int)0x80070020);

    // As long as the name of any owner: a process that writes at the same moment does not cut
    // the name of the other process.
    private const int Length = 256;

    private const string Unfinished = ".tmp";

    private long beat;

    /// <summary>Takes the lock; null if another process has it.</summary>
    public FileStream? TryLock()
    {
        SpecialFile.RefuseAt(path + ".lock");
        try
        {
            return new FileStream(
                path + ".lock",
                FileMode.OpenOrCreate,
                FileAccess.ReadWrite,
                FileShare.None,
                bufferSize: 0
            );
        }
        catch (IOException failure) when (failure.HResult is LockedOnLinux or LockedOnMac or LockedOnWindows)
        {
            return null;
        }
    }

    /// <summary>
    /// Whether the lock, which this process has, keeps other processes out: some file systems
    /// give the lock to every process.
    /// </summary>
    public bool DoesLockExclude()
    {
        using FileStream? second = TryLock();
        return second is null;
    }

    /// <summary>
    /// Creates the file with the owner: if several machines find no file, only one of them
    /// succeeds. The file gets its name when it is whole, so a program that is killed meanwhile
    /// leaves no claim without an owner.
    /// </summary>
    public bool TryMake(string owner)
    {
        RemoveUnfinished();
        SpecialFile.RefuseAt(path);
        using AtomicFile made = new(path, temporaryName: $"{Path.GetFileName(path)}.{Guid.NewGuid():N}{Unfinished}");
        made.Stream.Write(Content(owner));
        try
        {
            made.Commit();
            return Read() is [var present, ..] && present == owner;
        }
        catch (IOException) when (File.Exists(path) || !File.Exists(made.TemporaryPath))
        {
            return false;
        }
    }

    /// <summary>
    /// Removes the files that killed programs left. A program that is creating its file at this
    /// moment creates it again.
    /// </summary>
    private void RemoveUnfinished()
    {
        foreach (
            string left in Directory.EnumerateFiles(
                Path.GetDirectoryName(path)!,
                $"{Path.GetFileName(path)}.*{Unfinished}"
            )
        )
        {
            File.Delete(left);
        }
    }

    /// <summary>
    /// The owner and its last heartbeat; null if there was none. The file is opened for each
    /// look, because only then a network file system asks its server.
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

    public void Write(string owner, bool flushes = true)
    {
        byte[] content = Content(owner);
        using FileStream stream = Open(FileMode.OpenOrCreate, FileAccess.Write);
        stream.Write(content);
        stream.SetLength(content.Length);
        if (flushes)
        {
            stream.Flush(flushToDisk: true);
        }
    }

    private byte[] Content(string owner) =>
        Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{owner}\n{++beat}\n").PadRight(Length));

    private FileStream Open(FileMode mode, FileAccess access)
    {
        SpecialFile.RefuseAt(path);
        return new FileStream(path, mode, access, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
    }
}
