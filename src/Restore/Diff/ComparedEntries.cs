namespace Restore.Diff;

/// <summary>
/// Entries of a version by path, for a comparison: about 110 bytes and the name for each, in flat
/// tables. Of several entries with one path the first counts.
/// </summary>
internal sealed class ComparedEntries
{
    private readonly PathSet paths = new();
    private readonly ByteArena hashes = new();
    private readonly SegmentedList<ComparedEntry> entries = new();
    private readonly PathBudget budget = new();

    public int Count => entries.Count;

    public ref ComparedEntry this[int entry] => ref entries[entry];

    public bool TryFind(ReadOnlySpan<byte> path, out int entry) =>
        paths.TryFind(path, VersionContent.FolderLength(path), out entry);

    /// <summary>
    /// False if it is left out, because the paths of the list take more memory than so many entries
    /// need.
    /// </summary>
    public bool TryAdd(in EntryInList entry)
    {
        if (!budget.TryTake(entry.Path))
        {
            return false;
        }

        paths.TryAdd(entry.Path, VersionContent.FolderLength(entry.Path), out _);
        entries.Add(
            new ComparedEntry(
                MetadataOf(entry),
                entry.SizeBytes,
                entry.LastModified?.UtcTicks ?? 0,
                hashes.Add(entry.Hash),
                entry.Kind
            )
        );
        return true;
    }

    /// <summary>How an entry of this version became another one; null if nothing differs.</summary>
    public EntryChange? ChangeTo(int entry, in EntryInList newer)
    {
        ref ComparedEntry older = ref entries[entry];
        return older.Kind != newer.Kind
            || older.SizeBytes != newer.SizeBytes
            || !hashes.Get(older.Hash).SequenceEqual(newer.Hash)
                ? EntryChange.Changed
            : older.TimeTicks != (newer.LastModified?.UtcTicks ?? 0) || older.Metadata != MetadataOf(newer)
                ? EntryChange.Metadata
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
