namespace Restore.Reading;

/// <summary>
/// The archive entries that are needed blocks: in the order in which files need them if the archive has random access, else in the archive's order.
/// </summary>
/// <param name="archive">The archive.</param>
/// <param name="list">All needed blocks.</param>
/// <param name="wanted">The needed blocks of this volume.</param>
/// <param name="space">A list to reuse from volume to volume: for a volume of small blocks it has some MiB.</param>
internal sealed class WantedEntries(Archive archive, FetchList list, WantedVolume wanted, List<WantedEntry> space)
{
    private bool isCollected;
    private int next;

    /// <summary>Why the walk through the archive ended early; null if it did not.</summary>
    public string? Defect { get; private set; }

    public bool MoveNext(out BlockId block, out ArchiveEntry entry)
    {
        if (!archive.IsRandomAccess)
        {
            return Walk(out block, out entry);
        }

        if (!isCollected)
        {
            Collect();
        }

        bool has = next < space.Count;
        (_, block, entry) = has ? space[next++] : default;
        return has;
    }

    private void Collect()
    {
        isCollected = true;
        space.Clear();
        space.EnsureCapacity(wanted.Count);
        while (Walk(out BlockId block, out ArchiveEntry entry))
        {
            space.Add(new WantedEntry(list.RankOf(block), block, entry));
        }

        space.Sort((a, b) => a.Rank.CompareTo(b.Rank));
    }

    private bool Walk(out BlockId block, out ArchiveEntry entry)
    {
        Span<byte> name = stackalloc byte[HashKinds.MaxLengthBytes];
        try
        {
            while (archive.MoveNext(out entry))
            {
                if (BlockName.TryDecode(archive.NameOf(entry), name, out int length)
                    && (block = list.Find(name[..length], entry.Length, wanted)) >= 0)
                {
                    return true;
                }
            }
        }
        catch (InvalidDataException failure)
        {
            Defect = failure.Reason();
        }

        (block, entry) = (BlockId.None, default);
        return false;
    }
}

/// <summary>A needed block, its index in the order of first use, and its entry in the archive.</summary>
internal readonly record struct WantedEntry(int Rank, BlockId Block, ArchiveEntry Entry);
