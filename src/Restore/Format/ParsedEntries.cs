namespace Restore.Format;

/// <summary>
/// Consecutive entries of a file list, with copies of their bytes, from one place of the list to
/// another.
/// </summary>
internal sealed class ParsedEntries
{
    private readonly ArrayBufferWriter<byte> bytes = new();
    private readonly List<Row> rows = [];

    /// <summary>Where the entries begin in the list: at a comma.</summary>
    public long Start { get; private set; }

    /// <summary>Where the last entry ends.</summary>
    public long End { get; private set; }

    public int Count => rows.Count;

    public void Clear()
    {
        rows.Clear();
        bytes.ResetWrittenCount();
        Start = End = 0;
    }

    public void Place(long start, long end) => (Start, End) = (start, end);

    public void Add(in FileListEntry entry)
    {
        rows.Add(
            new Row(
                bytes.WrittenCount,
                entry.Kind,
                entry.SizeBytes,
                entry.TimeTicks,
                entry.MetaSizeBytes,
                entry.MetaProblem,
                Keep(entry.Path),
                (byte)Keep(entry.Hash),
                (byte)Keep(entry.BlockHash),
                (byte)Keep(entry.MetaHash),
                (byte)Keep(entry.MetaBlockHash),
                Keep(entry.BlocklistHashes),
                Keep(entry.MetaBlocklistHashes)
            )
        );
    }

    /// <summary>An entry; its spans are valid until these entries are cleared.</summary>
    public FileListEntry Get(int index)
    {
        ref readonly Row row = ref CollectionsMarshal.AsSpan(rows)[index];
        ReadOnlySpan<byte> rest = bytes.WrittenSpan[row.First..];

        // In the order in which they were kept.
        ReadOnlySpan<byte> path = Next(ref rest, row.Path);
        ReadOnlySpan<byte> hash = Next(ref rest, row.Hash);
        ReadOnlySpan<byte> blockHash = Next(ref rest, row.BlockHash);
        ReadOnlySpan<byte> metaHash = Next(ref rest, row.MetaHash);
        ReadOnlySpan<byte> metaBlockHash = Next(ref rest, row.MetaBlockHash);
        ReadOnlySpan<byte> blocklists = Next(ref rest, row.Blocklists);
        return new FileListEntry
        {
            Kind = row.Kind,
            Path = path,
            Hash = hash,
            SizeBytes = row.SizeBytes,
            TimeTicks = row.TimeTicks,
            BlockHash = blockHash,
            BlocklistHashes = blocklists,
            MetaProblem = row.MetaProblem,
            MetaHash = metaHash,
            MetaSizeBytes = row.MetaSizeBytes,
            MetaBlockHash = metaBlockHash,
            MetaBlocklistHashes = Next(ref rest, row.MetaBlocklists),
        };
    }

    private static ReadOnlySpan<byte> Next(scoped ref ReadOnlySpan<byte> rest, int length)
    {
        ReadOnlySpan<byte> next = rest[..length];
        rest = rest[length..];
        return next;
    }

    private int Keep(ReadOnlySpan<byte> part)
    {
        bytes.Write(part);
        return part.Length;
    }

    /// <param name="First">Where the bytes begin; the other numbers are lengths.</param>
    private readonly record struct Row(
        int First,
        EntryKind Kind,
        long SizeBytes,
        long TimeTicks,
        long MetaSizeBytes,
        string? MetaProblem,
        int Path,
        byte Hash,
        byte BlockHash,
        byte MetaHash,
        byte MetaBlockHash,
        int Blocklists,
        int MetaBlocklists
    );
}
