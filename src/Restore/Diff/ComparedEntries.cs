using System.Buffers.Binary;
using Restore.Catalog;
using Restore.Memory;

namespace Restore.Diff;

/// <summary>What a comparison needs of an entry.</summary>
/// <param name="Metadata">The first 16 bytes of the hash of its metadata; 0 for none.</param>
/// <param name="SizeBytes">Length of its content.</param>
/// <param name="TimeTicks">Its time; 0 for none.</param>
/// <param name="Hash">The hash that is shown of it.</param>
/// <param name="Kind">What it is.</param>
internal record struct ComparedEntry(UInt128 Metadata, long SizeBytes, long TimeTicks, long Hash, BackupEntryKind Kind)
{
    /// <summary>Whether it was met in the other version.</summary>
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

    /// <summary>Adds an entry with a new path.</summary>
    /// <returns>False if it is left out, because the paths of the list take more memory than those of so many entries need.</returns>
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

    /// <summary>An entry in its public form.</summary>
    public EntryState StateOf(int entry)
    {
        ref ComparedEntry row = ref entries[entry];
        DateTimeOffset? time = row.TimeTicks == 0 ? null : new DateTimeOffset(row.TimeTicks, TimeSpan.Zero);
        return new EntryState(row.Kind, 1, row.SizeBytes, time, Convert.ToHexStringLower(hashes.Get(row.Hash)));
    }

    private static UInt128 MetadataOf(in EntryInList entry) =>
        entry.MetadataHash.Length < 16 ? 0 : BinaryPrimitives.ReadUInt128LittleEndian(entry.MetadataHash);
}
