using System.Text;
using Restore.Format;

namespace Restore.Tests.Format;

/// <summary>An entry of a file list with its bytes copied, hashes as hex, for comparison.</summary>
internal sealed record ListedEntry(
    EntryKind Kind,
    string Path,
    string Hash,
    long Size,
    long Time,
    string MetaHash,
    long MetaSize,
    string MetaBlockHash,
    string MetaBlocklists,
    string BlockHash,
    string Blocklists
)
{
    public static ListedEntry Of(in FileListEntry e) =>
        new(
            e.Kind,
            Encoding.UTF8.GetString(e.Path),
            Convert.ToHexString(e.Hash),
            e.SizeBytes,
            e.TimeTicks,
            Convert.ToHexString(e.MetaHash),
            e.MetaSizeBytes,
            Convert.ToHexString(e.MetaBlockHash),
            Convert.ToHexString(e.MetaBlocklistHashes),
            Convert.ToHexString(e.BlockHash),
            Convert.ToHexString(e.BlocklistHashes)
        );

    public FileListEntry ToEntry() =>
        new()
        {
            Kind = Kind,
            Path = Encoding.UTF8.GetBytes(Path),
            Hash = Convert.FromHexString(Hash),
            SizeBytes = Size,
            TimeTicks = Time,
            MetaHash = Convert.FromHexString(MetaHash),
            MetaSizeBytes = MetaSize,
            MetaBlockHash = Convert.FromHexString(MetaBlockHash),
            MetaBlocklistHashes = Convert.FromHexString(MetaBlocklists),
            BlockHash = Convert.FromHexString(BlockHash),
            BlocklistHashes = Convert.FromHexString(Blocklists),
        };
}

/// <summary>Keeps what a file list reader says.</summary>
internal sealed class RecordingSink : IFileListSink
{
    public List<ListedEntry> Entries { get; } = [];

    public List<(string Path, string Reason)> Refused { get; } = [];

    public List<(string Path, string Reason)> WithoutMetadata { get; } = [];

    public IEnumerable<string> Paths => Entries.Select(e => e.Path);

    public void Entry(in FileListEntry entry)
    {
        Entries.Add(ListedEntry.Of(entry));
        if (entry.MetaProblem is string problem)
        {
            WithoutMetadata.Add((Entries[^1].Path, problem));
        }
    }

    public void Unusable(string path, string reason) => Refused.Add((path, reason));

    public static RecordingSink Read(Stream json, BlockLayout layout)
    {
        var sink = new RecordingSink();
        FileListReader.Read(json, sink, layout, CancellationToken.None);
        return sink;
    }

    public static RecordingSink Read(byte[] json, BlockLayout layout) => Read(new MemoryStream(json), layout);

    public static RecordingSink Read(string json, BlockLayout layout) => Read(Encoding.UTF8.GetBytes(json), layout);
}
