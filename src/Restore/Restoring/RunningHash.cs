using System.Security.Cryptography;
using Restore.Planning.Scanning;

namespace Restore.Restoring;

/// <summary>The hash of a whole file, taken while its blocks are written in order. When they do not all come in order, the file has to be read back.</summary>
internal sealed class RunningHash(FileHasher hasher)
{
    private IncrementalHash? hash;
    private int items;

    /// <summary>Whether a block is the next one, so that its bytes are to be appended; the first block starts the hash.</summary>
    public bool GoesOnWith(int index)
    {
        if (index != items)
        {
            return false;
        }

        if (index == 0)
        {
            hash = hasher.TryStart();
        }

        items = hash is null ? -1 : items + 1;
        return hash is not null;
    }

    public void Append(ReadOnlySpan<byte> bytes) => hash?.AppendData(bytes);

    /// <summary>Ends the hash and compares it.</summary>
    /// <returns>Null when not all of the file went through it.</returns>
    public bool? Finish(int itemCount, ReadOnlySpan<byte> expected)
    {
        if (hash is null || items != itemCount)
        {
            return null;
        }

        IncrementalHash ended = hash;
        hash = null;
        return hasher.Finish(ended, expected);
    }

    /// <summary>Gives the hash up.</summary>
    public void Abandon()
    {
        if (hash is not null)
        {
            hasher.Abandon(hash);
            hash = null;
        }
    }
}
