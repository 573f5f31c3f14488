using Restore.Planning.Scanning;

namespace Restore.Restoring;

/// <summary>
/// The hash of a whole file, computed while its blocks are written in order. If not all blocks come
/// in order, the file must be read back.
/// </summary>
internal sealed class RunningHash(FileHasher hasher)
{
    private PartsHash? hash;
    private int items;

    /// <summary>
    /// Whether a block is the next one, so that its bytes can be appended. The first block starts
    /// the hash.
    /// </summary>
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

        // No block has the index -1, so without a hash none continues it.
        items = hash is null ? -1 : items + 1;
        return hash is not null;
    }

    public void Append(ReadOnlySpan<byte> bytes) => hash?.Append(bytes);

    /// <summary>Completes the hash and compares it.</summary>
    /// <returns>Null if the hash does not cover the whole file.</returns>
    public bool? Finish(int itemCount, ReadOnlySpan<byte> expected)
    {
        if (hash is null || items != itemCount)
        {
            return null;
        }

        PartsHash ended = hash;
        hash = null;
        return hasher.Finish(ended, expected);
    }

    public void Abandon()
    {
        if (hash is not null)
        {
            hasher.Abandon(hash);
            hash = null;
        }
    }
}
