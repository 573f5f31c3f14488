namespace Restore.Planning.Scanning;

/// <summary>The hash of a whole file: computed block by block while the file is written, or by reading the file back.</summary>
internal sealed class FileHasher(HashKind kind, BufferPool pool) : IDisposable
{
    private const int ReadBytes = 256 << 10;

    // Limit of hashes computed while files are written; further files are read back at their end.
    private const int MaxRunning = 4096;

    private readonly Stack<IncrementalHash> idle = new();
    private int running;

    /// <summary>A hash to feed with blocks, or null if too many are in progress.</summary>
    public IncrementalHash? TryStart()
    {
        if (running == MaxRunning)
        {
            return null;
        }

        running++;
        return idle.TryPop(out IncrementalHash? hash) ? hash : IncrementalHash.CreateHash(kind.AlgorithmName());
    }

    public bool Finish(IncrementalHash hash, ReadOnlySpan<byte> expected)
    {
        Span<byte> actual = stackalloc byte[HashKinds.MaxLengthBytes];
        int length = hash.GetHashAndReset(actual);
        running--;
        idle.Push(hash);
        return actual[..length].SequenceEqual(expected);
    }

    /// <summary>Whether no bytes at all have a hash.</summary>
    public bool MatchesNothing(ReadOnlySpan<byte> expected)
    {
        IncrementalHash hash = idle.TryPop(out IncrementalHash? known) ? known : IncrementalHash.CreateHash(kind.AlgorithmName());
        running++;
        return Finish(hash, expected);
    }

    public void Abandon(IncrementalHash hash) => Finish(hash, []);

    public bool Matches(ITargetFile file, long sizeBytes, ReadOnlySpan<byte> expected)
    {
        IncrementalHash hash = idle.TryPop(out IncrementalHash? known) ? known : IncrementalHash.CreateHash(kind.AlgorithmName());
        running++;
        using PooledBuffer buffer = pool.Rent(ReadBytes);
        long offset = 0;
        while (offset < sizeBytes)
        {
            int read = file.Read(offset, buffer.Span[..(int)Math.Min(ReadBytes, sizeBytes - offset)]);
            if (read == 0)
            {
                break;
            }

            hash.AppendData(buffer.Span[..read]);
            offset += read;
        }

        return Finish(hash, expected) && offset == sizeBytes;
    }

    public void Dispose()
    {
        while (idle.TryPop(out IncrementalHash? hash))
        {
            hash.Dispose();
        }
    }
}
