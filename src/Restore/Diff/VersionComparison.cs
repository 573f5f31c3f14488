namespace Restore.Diff;

/// <summary>Keeps the older list and what differs from it in the newer one. Entries come in, first all of the older version, then all of the newer
/// one.</summary>
internal sealed class VersionComparison(IssueLog issues)
{
    private readonly ComparedEntries before = new();
    private readonly ComparedEntries after = new();

    // What differs in the newer one, each with its number in the older one if it is there.
    private readonly List<(int? Before, int? After, EntryChange Change)> differences = [];

    public void AddOlder(EntryInList entry) => Add(before, entry);

    public void AddNewer(EntryInList entry)
    {
        bool isKnown = before.TryFind(entry.Path, out int known);
        bool isFirst = !isKnown || !before[known].IsMet;
        EntryChange? change = isKnown ? before.ChangeTo(known, entry) : EntryChange.Added;
        if (isKnown)
        {
            before[known].IsMet = true;
        }

        if (isFirst && change is EntryChange differs && Add(after, entry))
        {
            differences.Add((isKnown ? known : null, after.Count - 1, differs));
        }
    }

    public IEnumerable<EntryDifference> Differences()
    {
        differences.AddRange(Enumerable.Range(0, before.Count).Where(entry => !before[entry].IsMet)
            .Select(entry => ((int?)entry, (int?)null, EntryChange.Removed)));
        byte[][] paths = [.. differences.Select(found => found.After is int newer ? after.PathOf(newer) : before.PathOf(found.Before!.Value))];
        int[] order = [.. Enumerable.Range(0, paths.Length)];
        Array.Sort(order, (left, right) => paths[left].AsSpan().SequenceCompareTo(paths[right]));
        return order.Select(place => new EntryDifference(
            Encoding.UTF8.GetString(paths[place]),
            differences[place].Change,
            differences[place].Before is int older ? before.StateOf(older) : null,
            differences[place].After is int newer ? after.StateOf(newer) : null));
    }

    private bool Add(ComparedEntries entries, in EntryInList entry)
    {
        if (entries.TryFind(entry.Path, out _))
        {
            return false;
        }

        bool isTaken = entries.TryAdd(entry);
        if (!isTaken)
        {
            issues.Add(PathBudget.Refusal(entry.Path));
        }

        return isTaken;
    }
}

/// <summary>Metadata is the first 16 bytes of its hash, Hash the one that is shown of the content; 0 for none.</summary>
internal record struct ComparedEntry(UInt128 Metadata, long SizeBytes, long TimeTicks, long Hash, BackupEntryKind Kind)
{
    public bool IsMet { get; set; }
}

/// <summary>
/// Entries of a version by path, for a comparison: about 110 bytes and the name for each, in flat tables. Of several entries with one path the first counts.
/// </summary>
internal sealed class ComparedEntries
{
    private readonly PathSet paths = new();
    private readonly ByteArena hashes = new();
    private readonly SegmentedList<ComparedEntry> entries = new();
    private readonly PathBudget budget = new();

    public int Count => entries.Count;

    public ref ComparedEntry this[int entry] => ref entries[entry];

    public bool TryFind(ReadOnlySpan<byte> path, out int entry) => paths.TryFind(path, VersionContent.FolderLength(path), out entry);

    /// <summary>False if it is left out, because the paths of the list take more memory than so many entries need.</summary>
    public bool TryAdd(in EntryInList entry)
    {
        if (!budget.TryTake(entry.Path))
        {
            return false;
        }

        paths.TryAdd(entry.Path, VersionContent.FolderLength(entry.Path), out _);
        entries.Add(new ComparedEntry(MetadataOf(entry), entry.SizeBytes, entry.LastModified?.UtcTicks ?? 0, hashes.Add(entry.Hash), entry.Kind));
        return true;
    }

    /// <summary>How an entry of this version became another one; null if nothing differs.</summary>
    public EntryChange? ChangeTo(int entry, in EntryInList newer)
    {
        ref ComparedEntry older = ref entries[entry];
        return older.Kind != newer.Kind || older.SizeBytes != newer.SizeBytes || !hashes.Get(older.Hash).SequenceEqual(newer.Hash) ? EntryChange.Changed
            : older.TimeTicks != (newer.LastModified?.UtcTicks ?? 0) || older.Metadata != MetadataOf(newer) ? EntryChange.Metadata
            : null;
    }

    public byte[] PathOf(int entry) => paths.PathOf(entry);

    public EntryState StateOf(int entry)
    {
        ref ComparedEntry row = ref entries[entry];
        DateTimeOffset? time = row.TimeTicks == 0 ? null : new DateTimeOffset(row.TimeTicks, TimeSpan.Zero);
        return new EntryState(row.Kind, 1, row.SizeBytes, time, Convert.ToHexStringLower(hashes.Get(row.Hash)));
    }

    private static UInt128 MetadataOf(in EntryInList entry) =>
        entry.MetadataHash.Length < 16 ? 0 : BinaryPrimitives.ReadUInt128LittleEndian(entry.MetadataHash);
}
