using System.Buffers.Binary;
using Restore.Memory;

namespace Restore.Catalog;

/// <summary>What a comparison needs of an entry.</summary>
/// <param name="Metadata">The first 16 bytes of the hash of its metadata; 0 for none.</param>
/// <param name="Name">Its name.</param>
/// <param name="SizeBytes">Length of its content.</param>
/// <param name="TimeTicks">Its time; 0 for none.</param>
/// <param name="Hash">The hash that is shown of it.</param>
/// <param name="Folder">The number of its folder.</param>
/// <param name="Kind">What it is.</param>
internal record struct ComparedEntry(UInt128 Metadata, long Name, long SizeBytes, long TimeTicks, long Hash, int Folder, BackupEntryKind Kind)
{
    /// <summary>Whether it was met in the other version.</summary>
    public bool IsMet { get; set; }
}

/// <summary>
/// Entries of a version by path, for a comparison: about 110 bytes and the name for each, in flat tables. Of several entries with one path the first counts.
/// </summary>
internal sealed class ComparedEntries
{
    private readonly ByteArena bytes = new();
    private readonly SegmentedList<long> folders = new();
    private readonly SegmentedList<ComparedEntry> entries = new();
    private readonly PathBudget budget = new();

    // Numbers of entries plus one, by path; the length is a power of two, at most half full.
    private int[] slots = new int[1024];
    private byte[]? lastFolder;
    private int lastFolderHash;

    public int Count => entries.Count;

    public ref ComparedEntry this[int entry] => ref entries[entry];

    /// <summary>The number of the entry with a path; -1 if there is none.</summary>
    public int Find(ReadOnlySpan<byte> path) => slots[SlotOf(path)] - 1;

    /// <summary>Adds an entry with a new path.</summary>
    /// <returns>False if it is left out, because the paths of the list take more memory than those of so many entries need.</returns>
    public bool TryAdd(in EntryInList entry)
    {
        if (!budget.TryTake(entry.Path))
        {
            return false;
        }

        int slot = SlotOf(entry.Path);
        int folderLength = VersionContent.FolderLength(entry.Path);
        slots[slot] = 1 + entries.Add(new ComparedEntry(
            MetadataOf(entry),
            bytes.Add(entry.Path[folderLength..]),
            entry.SizeBytes,
            entry.LastModified?.UtcTicks ?? 0,
            bytes.Add(entry.Hash),
            FolderOf(entry.Path[..folderLength]),
            entry.Kind));
        if (entries.Count * 2L > slots.Length)
        {
            Grow();
        }

        return true;
    }

    /// <summary>How an entry of this version became another one; null if nothing differs.</summary>
    public EntryChange? ChangeTo(int entry, in EntryInList newer)
    {
        ref ComparedEntry older = ref entries[entry];
        return older.Kind != newer.Kind || older.SizeBytes != newer.SizeBytes || !bytes.Get(older.Hash).SequenceEqual(newer.Hash) ? EntryChange.Changed
            : older.TimeTicks != (newer.LastModified?.UtcTicks ?? 0) || older.Metadata != MetadataOf(newer) ? EntryChange.Metadata
            : null;
    }

    /// <summary>The path of an entry.</summary>
    public byte[] PathOf(int entry) => [.. bytes.Get(folders[entries[entry].Folder]), .. bytes.Get(entries[entry].Name)];

    /// <summary>An entry in its public form.</summary>
    public EntryState StateOf(int entry)
    {
        ref ComparedEntry row = ref entries[entry];
        DateTimeOffset? time = row.TimeTicks == 0 ? null : new DateTimeOffset(row.TimeTicks, TimeSpan.Zero);
        return new EntryState(row.Kind, 1, row.SizeBytes, time, Convert.ToHexStringLower(bytes.Get(row.Hash)));
    }

    private static UInt128 MetadataOf(in EntryInList entry) =>
        entry.MetadataHash.Length < 16 ? 0 : BinaryPrimitives.ReadUInt128LittleEndian(entry.MetadataHash);

    /// <summary>Lists are sorted by path, so most entries lie in the folder of the entry before, whose path is stored once.</summary>
    private int FolderOf(ReadOnlySpan<byte> path) =>
        folders.Count > 0 && bytes.Get(folders[folders.Count - 1]).SequenceEqual(path) ? folders.Count - 1 : folders.Add(bytes.Add(path));

    /// <summary>The place of a path in the table, or the free place where it would be.</summary>
    private int SlotOf(ReadOnlySpan<byte> path)
    {
        int folderLength = VersionContent.FolderLength(path);
        ReadOnlySpan<byte> name = path[folderLength..];
        int mask = slots.Length - 1;
        int slot = HashOf(path[..folderLength], name) & mask;
        while (slots[slot] is int entry and > 0 && !IsAt(entry - 1, path[..folderLength], name))
        {
            slot = (slot + 1) & mask;
        }

        return slot;
    }

    private bool IsAt(int entry, ReadOnlySpan<byte> folder, ReadOnlySpan<byte> name) =>
        bytes.Get(entries[entry].Name).SequenceEqual(name) && bytes.Get(folders[entries[entry].Folder]).SequenceEqual(folder);

    /// <summary>The seed is random in each process, so a backup cannot choose paths that collide.</summary>
    private int HashOf(ReadOnlySpan<byte> folder, ReadOnlySpan<byte> name)
    {
        HashCode hash = default;
        if (lastFolder is null || !folder.SequenceEqual(lastFolder))
        {
            hash.AddBytes(folder);
            (lastFolder, lastFolderHash) = (folder.ToArray(), hash.ToHashCode());
            hash = default;
        }

        hash.Add(lastFolderHash);
        hash.AddBytes(name);
        return hash.ToHashCode();
    }

    private void Grow()
    {
        slots = new int[checked(slots.Length * 2)];
        int mask = slots.Length - 1;
        for (int entry = 0; entry < entries.Count; entry++)
        {
            int slot = HashOf(bytes.Get(folders[entries[entry].Folder]), bytes.Get(entries[entry].Name)) & mask;
            while (slots[slot] != 0)
            {
                slot = (slot + 1) & mask;
            }

            slots[slot] = entry + 1;
        }
    }
}
