namespace Restore.Planning.Scanning;

/// <summary>
/// The hash of a whole file: computed block by block while the file is written, or by reading the
/// file back.
/// </summary>
internal sealed class FileHasher(HashKind kind, BufferPool pool) : IDisposable
{
    private const int ReadBytes = 256 << 10;

    // Limit of hashes computed while files are written; further files are read back at their end.
    private const int MaxRunning = 4096;

    private readonly Stack<PartsHash> idle = new();
    private int running;

    /// <summary>A hash to feed with blocks, or null if too many are in progress.</summary>
    public PartsHash? TryStart() => running == MaxRunning ? null : Start();

    public bool Finish(PartsHash hash, ReadOnlySpan<byte> expected)
    {
        Span<byte> actual = stackalloc byte[HashKinds.MaxLengthBytes];
        int length = hash.Finish(actual);
        running--;
        idle.Push(hash);
        return actual[..length].SequenceEqual(expected);
    }

    public bool MatchesNothing(ReadOnlySpan<byte> expected) => Finish(Start(), expected);

    // Finishing a hash resets it for the next file.
    public void Abandon(PartsHash hash) => Finish(hash, []);

    /// <summary>
    /// Whether a file of the target has the content of an entry; false if it cannot be read.
    /// </summary>
    /// <param name="fromDevice">Whether the bytes come from the device, where the system can do
    /// that.</param>
    public bool IsAt(IRestoreTarget target, string path, VersionContent content, EntryId entry, bool fromDevice = false)
    {
        try
        {
            using ITargetFile file = target.OpenFile(path, TargetOpenMode.Read);
            if (fromDevice)
            {
                file.DropCache();
            }

            return Matches(file, content, content.Entries[entry].Content);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    public bool Matches(ITargetFile file, VersionContent content, ContentId id)
    {
        long sizeBytes = content.SizeOf(id);
        if (!content.HasFileHash(id))
        {
            return false;
        }

        PartsHash hash = Start();
        long offset = 0;
        try
        {
            using PooledBuffer buffer = pool.Rent(ReadBytes);
            while (offset < sizeBytes)
            {
                int read = file.Read(offset, buffer.Span[..(int)Math.Min(ReadBytes, sizeBytes - offset)]);
                if (read == 0)
                {
                    break;
                }

                hash.Append(buffer.Span[..read]);
                offset += read;
            }
        }
        catch
        {
            Abandon(hash);
            throw;
        }

        return Finish(hash, content.FileHashOf(id)) && offset == sizeBytes;
    }

    private PartsHash Start()
    {
        running++;
        return idle.TryPop(out PartsHash? hash) ? hash : new PartsHash(kind);
    }

    public void Dispose()
    {
        while (idle.TryPop(out PartsHash? hash))
        {
            hash.Dispose();
        }
    }
}
