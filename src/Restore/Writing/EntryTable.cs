using Restore.Writing.Messages;
using Restore.Writing.Source;

namespace Restore.Writing;

/// <summary>The entries of the version, without an object for each: numbers, name and hashes of one lie together in an arena, the path of each folder is
/// stored once. Not safe for concurrent use.</summary>
internal sealed class EntryTable
{
    private readonly PathTable folders = new();
    private readonly ByteArena bytes = new();
    private readonly SegmentedList<long> rows = new();
    private readonly List<(byte[] Content, byte[] Metadata)> blocklists = [];
    private readonly ArrayBufferWriter<byte> row = new();
    private readonly ArrayBufferWriter<byte> path = new();

    public int Count => rows.Count;

    public long PathBytes { get; private set; }

    /// <summary>Length of the list's volume, about: the hashes do not compress.</summary>
    public long ListedBytes { get; private set; }

    public void Add(in ReadEntry entry)
    {
        SourceEntry source = entry.Source;
        (ContentHashes content, ContentHashes metadata) = (entry.Content, entry.Metadata);
        bool hasBlocklists = (content.BlocklistHashes?.Length ?? 0) + metadata.BlocklistHashes.Length > 0;
        byte[] listed = Encoding.UTF8.GetBytes(source.ListedPath);
        int folderLength = listed.AsSpan().LastIndexOfAny((byte)'/', (byte)'\\') + 1;
        folders.TryAdd(0, listed.AsSpan(0, folderLength), out int folder);
        Row head = new()
        {
            Kind = source.Kind,
            Folder = folder,
            NameLength = listed.Length - folderLength,
            HashLength = (byte)(content.Hash?.Length ?? 0),
            BlockHashLength = (byte)(content.BlockHash?.Length ?? 0),
            MetaHashLength = (byte)metadata.Hash.Length,
            MetaBlockHashLength = (byte)metadata.BlockHash.Length,
            SizeBytes = content.SizeBytes,
            TimeTicks = source.Status.LastWriteTicks,
            MetaSizeBytes = metadata.SizeBytes,
            Blocklists = hasBlocklists ? blocklists.Count : -1,
        };
        if (hasBlocklists)
        {
            blocklists.Add((content.BlocklistHashes ?? [], metadata.BlocklistHashes));
            ListedBytes += (content.BlocklistHashes?.Length ?? 0) + metadata.BlocklistHashes.Length;
        }

        row.ResetWrittenCount();
        row.Write(MemoryMarshal.AsBytes(new ReadOnlySpan<Row>(in head)));
        row.Write(listed.AsSpan(folderLength));
        row.Write(content.Hash);
        row.Write(content.BlockHash);
        row.Write(metadata.Hash);
        row.Write(metadata.BlockHash);
        rows.Add(bytes.Add(row.WrittenSpan));
        PathBytes += listed.Length;
        ListedBytes += row.WrittenCount + folderLength;
    }

    /// <summary>Writes the list as Duplicati does: folders and links by path, then files by path.</summary>
    public void WriteTo(FileListWriter writer)
    {
        int[] order = [.. Enumerable.Range(0, rows.Count)];

        Array.Sort(order, Compare);
        foreach (int number in order)
        {
            writer.Add(EntryOf(bytes.Get(rows[number])));
        }
    }

    private int Compare(int left, int right)
    {
        ReadOnlySpan<byte> a = bytes.Get(rows[left]);
        ReadOnlySpan<byte> b = bytes.Get(rows[right]);
        int byKind = (HeadOf(a).Kind == EntryKind.File).CompareTo(HeadOf(b).Kind == EntryKind.File);
        return byKind != 0 ? byKind : ComparePaths(FolderOf(a), NameOf(a), FolderOf(b), NameOf(b));
    }

    private static int ComparePaths(ReadOnlySpan<byte> folder, ReadOnlySpan<byte> name, ReadOnlySpan<byte> otherFolder, ReadOnlySpan<byte> otherName)
    {
        int common = folder.CommonPrefixLength(otherFolder);
        if (common < Math.Min(folder.Length, otherFolder.Length))
        {
            return folder[common].CompareTo(otherFolder[common]);
        }

        return folder.Length <= otherFolder.Length
            ? CompareParts(name, otherFolder[common..], otherName)
            : -CompareParts(otherName, folder[common..], name);
    }

    /// <summary>Compares a name with a path of two parts.</summary>
    private static int CompareParts(ReadOnlySpan<byte> name, ReadOnlySpan<byte> folder, ReadOnlySpan<byte> otherName)
    {
        int length = Math.Min(name.Length, folder.Length);
        int byFolder = name[..length].SequenceCompareTo(folder);
        return byFolder != 0 ? byFolder : name[length..].SequenceCompareTo(otherName);
    }

    private static ref readonly Row HeadOf(ReadOnlySpan<byte> row) => ref MemoryMarshal.AsRef<Row>(row);

    private static ReadOnlySpan<byte> NameOf(ReadOnlySpan<byte> row) => row.Slice(Unsafe.SizeOf<Row>(), HeadOf(row).NameLength);

    private ReadOnlySpan<byte> FolderOf(ReadOnlySpan<byte> row) => folders.NameOf(HeadOf(row).Folder);

    private FileListEntry EntryOf(ReadOnlySpan<byte> row)
    {
        Row head = HeadOf(row);
        (byte[] content, byte[] metadata) = head.Blocklists < 0 ? ([], []) : blocklists[head.Blocklists];
        ReadOnlySpan<byte> hashes = row[(Unsafe.SizeOf<Row>() + head.NameLength)..];
        path.ResetWrittenCount();
        path.Write(FolderOf(row));
        path.Write(NameOf(row));
        return new FileListEntry
        {
            Kind = head.Kind,
            Path = path.WrittenSpan,
            SizeBytes = head.SizeBytes,
            TimeTicks = head.TimeTicks,
            MetaSizeBytes = head.MetaSizeBytes,
            Hash = Next(ref hashes, head.HashLength),
            BlockHash = Next(ref hashes, head.BlockHashLength),
            MetaHash = Next(ref hashes, head.MetaHashLength),
            MetaBlockHash = Next(ref hashes, head.MetaBlockHashLength),
            BlocklistHashes = content,
            MetaBlocklistHashes = metadata,
        };
    }

    private static ReadOnlySpan<byte> Next(scoped ref ReadOnlySpan<byte> hashes, int length)
    {
        ReadOnlySpan<byte> next = hashes[..length];
        hashes = hashes[length..];
        return next;
    }

    /// <summary>What stands before the name and the hashes.</summary>
    [StructLayout(LayoutKind.Sequential, Pack = 1)]
    private struct Row
    {
        public long SizeBytes;
        public long TimeTicks;
        public long MetaSizeBytes;
        public int Folder;
        public int NameLength;
        public int Blocklists;
        public EntryKind Kind;
        public byte HashLength;
        public byte BlockHashLength;
        public byte MetaHashLength;
        public byte MetaBlockHashLength;
    }
}
