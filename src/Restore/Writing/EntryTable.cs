using Restore.Writing.Messages;
using Restore.Writing.Source;

namespace Restore.Writing;

/// <summary>The entries of the version, without an object for each: paths and hashes are in one arena. Not safe for concurrent use.</summary>
internal sealed class EntryTable
{
    private readonly ByteArena bytes = new();
    private readonly SegmentedList<Row> rows = new();
    private readonly List<(byte[] Content, byte[] Metadata)> blocklists = [];

    public int Count => rows.Count;

    public long PathBytes { get; private set; }

    public void Add(in ReadEntry entry)
    {
        SourceEntry source = entry.Source;
        byte[] path = Encoding.UTF8.GetBytes(source.ListedPath);
        PathBytes += path.Length;
        bool hasBlocklists = (entry.Content.BlocklistHashes?.Length ?? 0) + entry.Metadata.BlocklistHashes.Length > 0;
        rows.Add(new Row
        {
            Kind = source.Kind,
            Path = Keep(path),
            SizeBytes = entry.Content.SizeBytes,
            TimeTicks = source.Status.LastWriteTicks,
            Hash = Keep(entry.Content.Hash),
            BlockHash = Keep(entry.Content.BlockHash),
            MetaSizeBytes = entry.Metadata.SizeBytes,
            MetaHash = Keep(entry.Metadata.Hash),
            MetaBlockHash = Keep(entry.Metadata.BlockHash),
            Blocklists = hasBlocklists ? blocklists.Count : -1,
        });
        if (hasBlocklists)
        {
            blocklists.Add((entry.Content.BlocklistHashes ?? [], entry.Metadata.BlocklistHashes));
        }
    }

    /// <summary>Writes the list as Duplicati does: folders and links by path, then files by path.</summary>
    public void WriteTo(FileListWriter writer)
    {
        int[] order = [.. Enumerable.Range(0, rows.Count)];

        Array.Sort(order, Compare);
        foreach (int row in order)
        {
            writer.Add(EntryOf(rows[row]));
        }
    }

    private int Compare(int left, int right)
    {
        Row a = rows[left];
        Row b = rows[right];
        int byKind = (a.Kind == EntryKind.File).CompareTo(b.Kind == EntryKind.File);
        return byKind != 0 ? byKind : Get(a.Path).SequenceCompareTo(Get(b.Path));
    }

    private FileListEntry EntryOf(in Row row)
    {
        (byte[] content, byte[] metadata) = row.Blocklists < 0 ? ([], []) : blocklists[row.Blocklists];
        return new FileListEntry
        {
            Kind = row.Kind,
            Path = Get(row.Path),
            Hash = Get(row.Hash),
            SizeBytes = row.SizeBytes,
            TimeTicks = row.TimeTicks,
            MetaHash = Get(row.MetaHash),
            MetaSizeBytes = row.MetaSizeBytes,
            MetaBlockHash = Get(row.MetaBlockHash),
            MetaBlocklistHashes = metadata,
            BlockHash = Get(row.BlockHash),
            BlocklistHashes = content,
        };
    }

    private long Keep(byte[]? value) => value is null or [] ? 0 : bytes.Add(value);

    private ReadOnlySpan<byte> Get(long kept) => bytes.Get(kept);

    private struct Row
    {
        public EntryKind Kind;
        public int Blocklists;
        public long Path;
        public long Hash;
        public long BlockHash;
        public long MetaHash;
        public long MetaBlockHash;
        public long SizeBytes;
        public long TimeTicks;
        public long MetaSizeBytes;
    }
}
