using Restore.Writing.Messages;
using Restore.Writing.Source;

namespace Restore.Writing;

/// <summary>
/// The entries of the version, without an object for each. The numbers, name and hashes of an entry
/// lie together in an arena, the path of each folder is stored once, and a hash that equals the
/// hash of a block is stored as the number of the block. Not safe for concurrent use.
/// </summary>
internal sealed class EntryTable(KnownBlocks blocks, int blockSizeBytes)
{
    private readonly PathTable folders = new();
    private readonly ByteArena bytes = new();
    private readonly SegmentedList<long> rows = new();

    // By the number of the entry.
    private readonly Dictionary<int, (byte[] Content, byte[] Metadata)> blocklists = [];
    private readonly ArrayBufferWriter<byte> row = new();
    private readonly ArrayBufferWriter<byte> path = new();

    public int Count => rows.Count;

    public long PathBytes { get; private set; }

    /// <summary>
    /// Estimate of the length of the list's volume, rather too high than too low. It counts the
    /// hashes, which do not compress.
    /// </summary>
    public long ListedBytes { get; private set; }

    public void Add(in ReadEntry entry)
    {
        SourceEntry source = entry.Source;
        (ContentHashes content, ContentHashes metadata) = (entry.Content, entry.Metadata);
        (byte[]? hash, byte[] metaHash) = (Short(content), Short(metadata)!);
        byte[] listed = Encoding.UTF8.GetBytes(source.ListedPath);

        // A folder ends with a separator, so all of its path is the folder part, and its name is
        // empty.
        int folderLength = listed.AsSpan().LastIndexOfAny((byte)'/', (byte)'\\') + 1;
        folders.TryAdd(0, listed.AsSpan(0, folderLength), out int folder);
        Row head = new()
        {
            Kind = source.Kind,
            Folder = folder,
            HashLength = (byte)(hash?.Length ?? 0),
            BlockHashLength = (byte)(content.BlockHash?.Length ?? 0),
            MetaHashLength = (byte)metaHash.Length,
            MetaBlockHashLength = (byte)metadata.BlockHash.Length,
            SizeBytes = content.SizeBytes,
            TimeTicks = source.Status.LastWriteTicks,
            MetaSizeBytes = checked((int)metadata.SizeBytes),
        };
        int blocklistBytes = (content.BlocklistHashes?.Length ?? 0) + metadata.BlocklistHashes.Length;
        if (blocklistBytes > 0)
        {
            blocklists.Add(rows.Count, (content.BlocklistHashes ?? [], metadata.BlocklistHashes));
        }

        row.ResetWrittenCount();
        row.Write(MemoryMarshal.AsBytes(new ReadOnlySpan<Row>(in head)));
        row.Write(listed.AsSpan(folderLength));
        row.Write(hash);
        row.Write(content.BlockHash);
        row.Write(metaHash);
        row.Write(metadata.BlockHash);
        rows.Add(bytes.Add(row.WrittenSpan));
        PathBytes += listed.Length;
        ListedBytes +=
            row.WrittenCount + folderLength + blocklistBytes + (content.Hash?.Length ?? 0) + metadata.Hash.Length;
    }

    /// <summary>
    /// Writes the list as Duplicati does: folders and links by path, then files by path. No entry
    /// or block may come after it.
    /// </summary>
    public void WriteTo(FileListWriter writer)
    {
        blocks.Complete();
        int[] order = [.. Enumerable.Range(0, rows.Count)];

        Array.Sort(order, Compare);
        foreach (int number in order)
        {
            writer.Add(EntryOf(number));
        }
    }

    /// <summary>
    /// The hash of a content; or, if its only block has the same hash, the bytes of the number of
    /// that block.
    /// </summary>
    private byte[]? Short(in ContentHashes content) =>
        content.BlockHash is [] && content.SizeBytes > 0 && content.SizeBytes <= blockSizeBytes
            ? BitConverter.GetBytes(blocks.NumberOf(content.Hash, (int)content.SizeBytes))
            : content.Hash;

    private int Compare(int left, int right)
    {
        ReadOnlySpan<byte> a = bytes.Get(rows[left]);
        ReadOnlySpan<byte> b = bytes.Get(rows[right]);
        int byKind = (HeadOf(a).Kind == EntryKind.File).CompareTo(HeadOf(b).Kind == EntryKind.File);
        return byKind != 0 ? byKind : ComparePaths(FolderOf(a), NameOf(a), FolderOf(b), NameOf(b));
    }

    private static int ComparePaths(
        ReadOnlySpan<byte> folder,
        ReadOnlySpan<byte> name,
        ReadOnlySpan<byte> otherFolder,
        ReadOnlySpan<byte> otherName
    )
    {
        int common = folder.CommonPrefixLength(otherFolder);

        // Compares two paths of two parts each, as if each was one text, without joining them:
        // where both folders have bytes, these decide; then the name of the shorter folder is
        // compared with the rest of the other path.
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

    private static ReadOnlySpan<byte> NameOf(ReadOnlySpan<byte> row) =>
        row[Unsafe.SizeOf<Row>()..^HeadOf(row).HashesLength];

    private ReadOnlySpan<byte> FolderOf(ReadOnlySpan<byte> row) => folders.NameOf(HeadOf(row).Folder);

    private FileListEntry EntryOf(int number)
    {
        ReadOnlySpan<byte> row = bytes.Get(rows[number]);
        Row head = HeadOf(row);
        (byte[] content, byte[] metadata) = blocklists.GetValueOrDefault(number, ([], []));
        ReadOnlySpan<byte> hashes = row[^head.HashesLength..];
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

    private ReadOnlySpan<byte> Next(scoped ref ReadOnlySpan<byte> hashes, int length)
    {
        ReadOnlySpan<byte> next = hashes[..length];
        hashes = hashes[length..];

        // No hash is as short as a number, so the length shows which of them it is.
        return length == sizeof(int) ? blocks.HashOf(BitConverter.ToInt32(next)) : next;
    }

    /// <summary>What stands before the name and the hashes.</summary>
    [StructLayout(LayoutKind.Sequential, Pack = 1)]
    private struct Row
    {
        public long SizeBytes;
        public long TimeTicks;
        public int MetaSizeBytes;
        public int Folder;
        public EntryKind Kind;
        public byte HashLength;
        public byte BlockHashLength;
        public byte MetaHashLength;
        public byte MetaBlockHashLength;

        public readonly int HashesLength => HashLength + BlockHashLength + MetaHashLength + MetaBlockHashLength;
    }
}
