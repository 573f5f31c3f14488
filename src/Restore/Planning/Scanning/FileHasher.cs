using System.Security.Cryptography;
using Restore.Format;
using Restore.Memory;

namespace Restore.Planning.Scanning;

/// <summary>The hash of a whole file: fed block by block as it is written, or taken by reading the file back.</summary>
internal sealed class FileHasher(HashKind kind, BufferPool pool) : IDisposable
{
    private const int ReadBytes = 256 << 10;

    // Files written side by side: beyond this a file is read back at its end instead.
    private const int MaxRunning = 4096;

    private readonly Stack<IncrementalHash> idle = new();
    private int running;

    /// <summary>A hash to be fed, or null when too many are running.</summary>
    public IncrementalHash? TryStart()
    {
        if (running == MaxRunning)
        {
            return null;
        }

        running++;
        return idle.TryPop(out IncrementalHash? hash) ? hash : IncrementalHash.CreateHash(kind.AlgorithmName());
    }

    /// <summary>Ends a hash and compares it.</summary>
    public bool Finish(IncrementalHash hash, ReadOnlySpan<byte> expected)
    {
        Span<byte> actual = stackalloc byte[HashKinds.MaxLengthBytes];
        int length = hash.GetHashAndReset(actual);
        running--;
        idle.Push(hash);
        return actual[..length].SequenceEqual(expected);
    }

    /// <summary>Gives a hash up.</summary>
    public void Abandon(IncrementalHash hash) => Finish(hash, []);

    /// <summary>Reads the file and compares its hash.</summary>
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
