namespace Restore.Reading;

/// <summary>
/// The archive entries that are needed blocks: in the order in which files need them if the archive
/// has random access, else in the archive's order.
/// </summary>
/// <param name="space">A list to reuse from volume to volume: for a volume of small blocks it has
/// some MiB.</param>
internal sealed class WantedEntries(Archive archive, FetchList list, WantedBlocks blocks, List<WantedEntry> space)
{
    private bool isCollected;
    private int next;

    /// <summary>Bytes of the entries to come; without end as long as that is not known.</summary>
    public long BytesLeft { get; private set; } = long.MaxValue;

    /// <summary>Why the walk through the archive ended early; null if it did not.</summary>
    public string? Defect { get; private set; }

    public bool MoveNext(out BlockId block, out ArchiveEntry entry)
    {
        if (!archive.IsRandomAccess)
        {
            bool isFound = Walk(out int rank, out entry);
            block = isFound ? list.Blocks[rank] : BlockId.None;
            return isFound;
        }

        if (!isCollected)
        {
            Collect();
        }

        bool has = next < space.Count;
        (int index, entry) = has ? space[next++] : default;
        block = has ? list.Blocks[index] : BlockId.None;
        BytesLeft -= has ? entry.Length : 0;
        return has;
    }

    private void Collect()
    {
        isCollected = true;
        long bytes = 0;
        space.Clear();
        while (Walk(out int rank, out ArchiveEntry entry))
        {
            space.Add(new WantedEntry(rank, entry));
            bytes += entry.Length;
        }

        BytesLeft = bytes;

        space.Sort((a, b) => a.Rank.CompareTo(b.Rank));
    }

    private bool Walk(out int rank, out ArchiveEntry entry)
    {
        Span<byte> name = stackalloc byte[HashKinds.MaxLengthBytes];
        try
        {
            while (archive.MoveNext(out entry))
            {
                if (
                    BlockName.TryDecode(archive.NameOf(entry), name, out int length)
                    && (rank = blocks.Find(name[..length], entry.Length)) >= 0
                )
                {
                    return true;
                }
            }
        }
        catch (InvalidDataException failure)
        {
            Defect = failure.Reason();
        }

        (rank, entry) = (-1, default);
        return false;
    }
}

/// <summary>
/// A needed block by its index in the order of first use, and its entry in the archive.
/// </summary>
internal readonly record struct WantedEntry(int Rank, ArchiveEntry Entry);
