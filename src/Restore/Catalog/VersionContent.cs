using System.Text;
using Restore.Format;
using Restore.Memory;

namespace Restore.Catalog;

/// <summary>An entry of a version: its path, what it is, its content and its metadata (both by number, -1 for none).</summary>
internal record struct EntryRow(long PathOffset, int PathLength, EntryKind Kind, int Content, int Metadata, long TimeTicks);

/// <summary>
/// A content: a file's or a metadata blob's bytes as a sequence of blocks.
/// </summary>
/// <param name="SizeBytes">Its length.</param>
/// <param name="FileHash">Where its whole hash is; -1 when it is the same as the hash of its only block.</param>
/// <param name="FirstBlock">Of a content of one block: the block. Of more: where its blocks start in the sequence list, once it is wanted. -1 when not
/// known.</param>
/// <param name="FirstBlocklist">Where its blocklists start in the list of blocklists; -1 when there are none.</param>
internal record struct ContentRow(long SizeBytes, long FileHash, int FirstBlock, int FirstBlocklist);

/// <summary>The selected entries of one version with their contents and blocks, in flat tables: about 300 bytes for a small file.</summary>
internal sealed class VersionContent(BackupVersion version, BlockLayout layout)
{
    private readonly ByteArena paths = new();
    private readonly ByteArena fileHashes = new();

    public BackupVersion Version { get; } = version;

    public BlockLayout Layout { get; } = layout;

    public SegmentedList<EntryRow> Entries { get; } = new();

    public SegmentedList<ContentRow> Contents { get; } = new();

    /// <summary>The blocks of all wanted contents of more than one block; -1 while a block is not known.</summary>
    public SegmentedList<int> SequenceBlocks { get; } = new();

    /// <summary>The blocklists of all contents that have some, as blocks.</summary>
    public SegmentedList<int> Blocklists { get; } = new();

    public BlockTable Blocks { get; } = new(layout.BlockHash);

    /// <summary>Which blockset of the local database each content is; empty for a version that was read from a file list.</summary>
    public SegmentedList<long> BlocksetIds { get; } = new();

    /// <summary>What was wrong in the list itself.</summary>
    public List<RestoreIssue> Issues { get; } = [];

    public int AddEntry(ReadOnlySpan<byte> path, EntryKind kind, int content, int metadata, long timeTicks) =>
        Entries.Add(new EntryRow(paths.Add(path), path.Length, kind, content, metadata, timeTicks));

    /// <summary>Adds a content whose blocks are not known yet or that has none.</summary>
    public int AddContent(long sizeBytes, ReadOnlySpan<byte> fileHash) =>
        Contents.Add(new ContentRow(sizeBytes, fileHash.IsEmpty ? -1 : fileHashes.Add(fileHash), -1, -1));

    public ReadOnlySpan<byte> PathOf(int entry) => paths.Get(Entries[entry].PathOffset, Entries[entry].PathLength);

    public string PathText(int entry) => Encoding.UTF8.GetString(PathOf(entry));

    /// <summary>Whether an entry is a file or a stream of one.</summary>
    public bool IsFile(int entry) => Entries[entry].Kind.IsFile();

    /// <summary>Length of an entry's content; 0 when it has none.</summary>
    public long SizeOf(int entry) => Entries[entry].Content is int content and >= 0 ? Contents[content].SizeBytes : 0;

    /// <summary>The hash of the whole content, by the file hash algorithm.</summary>
    public ReadOnlySpan<byte> FileHashOf(int content)
    {
        ref ContentRow row = ref Contents[content];
        return row.FileHash >= 0 ? fileHashes.Get(row.FileHash, Layout.FileHash.LengthBytes()) : Blocks.HashOf(row.FirstBlock);
    }

    /// <summary>Whether the hash of the whole is the hash of the only block, so that one check covers both.</summary>
    public bool IsCoveredByBlockHash(int content) =>
        BlockCountOf(content) == 1
        && Layout.FileHash == Layout.BlockHash
        && (Contents[content].FileHash < 0 || FileHashOf(content).SequenceEqual(Blocks.HashOf(Contents[content].FirstBlock)));

    /// <summary>Puts the entries into the order of a file list: folders and links, then files, each by path, and as they are for one path.</summary>
    public void SortEntries()
    {
        int[] order = new int[Entries.Count];
        for (int i = 0; i < order.Length; i++)
        {
            order[i] = i;
        }

        Array.Sort(order, Compare);

        // In place, along the cycles of the permutation: a copy of a million entries would be another 32 MB.
        for (int start = 0; start < order.Length; start++)
        {
            EntryRow moved = Entries[start];
            int to = start;
            while (order[to] != start)
            {
                Entries[to] = Entries[order[to]];
                int next = order[to];
                order[to] = to;
                to = next;
            }

            Entries[to] = moved;
            order[to] = to;
        }
    }

    /// <summary>Number of blocks; 0 for no content (-1).</summary>
    public int BlockCountOf(int content) => content < 0 ? 0 : (int)Math.Min(int.MaxValue, Layout.BlockCount(Contents[content].SizeBytes));

    /// <summary>Block <paramref name="index"/> of a wanted content, or -1 when it is not known.</summary>
    public int BlockOf(int content, int index)
    {
        ref ContentRow row = ref Contents[content];
        return row.SizeBytes <= Layout.BlockSizeBytes ? row.FirstBlock : SequenceBlocks[row.FirstBlock + index];
    }

    private int Compare(int left, int right)
    {
        bool isFile = IsFile(left);
        if (isFile != IsFile(right))
        {
            return isFile ? 1 : -1;
        }

        int byPath = PathOf(left).SequenceCompareTo(PathOf(right));
        return byPath != 0 ? byPath : left.CompareTo(right);
    }
}
