using Restore.Catalog;
using Restore.Compression;
using Restore.Format;
using Restore.Volumes;

namespace Restore.Reading.Extracting;

/// <summary>
/// The entries of an archive that are wanted blocks: in the order in which files want them if the archive has random access, else in the archive's order.
/// </summary>
/// <param name="archive">The archive.</param>
/// <param name="list">What is wanted.</param>
/// <param name="wanted">What is wanted of this volume.</param>
/// <param name="space">A list to use, kept from volume to volume: of a volume of small blocks it is some MiB.</param>
internal sealed class WantedEntries(Archive archive, FetchList list, WantedVolume wanted, List<WantedEntry> space)
{
    private bool isCollected;
    private int next;

    /// <summary>What ended the walk through the archive before its end, as a sentence; null if nothing did.</summary>
    public string? Defect { get; private set; }

    /// <summary>Goes to the next wanted entry.</summary>
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

    /// <summary>Goes to the next entry of the archive that is wanted.</summary>
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
