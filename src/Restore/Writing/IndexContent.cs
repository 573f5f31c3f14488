using System.Text;
using Restore.Compression;
using Restore.Format;

namespace Restore.Writing;

/// <summary>What one index volume says, until it has been read to its end.</summary>
internal sealed class IndexContent(BlockLayout layout)
{
    private const long MaxIndexEntryBytes = 4L << 30;

    private readonly List<(byte[] Hash, byte[] Content)> blocklists = [];

    public List<Described> Volumes { get; } = [];

    /// <summary>Reads an entry: the blocks of a volume, or a copy of a blocklist that somebody needs.</summary>
    public void Read(Archive archive, in ArchiveEntry entry, BlocklistCopies copies)
    {
        ReadOnlySpan<byte> name = archive.NameOf(entry);
        Span<byte> hash = stackalloc byte[HashKinds.MaxLengthBytes];
        if (IndexEntryName.TryGetVolume(name, out ReadOnlySpan<byte> described))
        {
            using Stream json = archive.Open(entry, MaxIndexEntryBytes);
            Described volume = new(Encoding.UTF8.GetString(described), []);
            IndexVolumeInfo info = IndexVolumeReader.ReadBlocks(json, volume, layout);
            Volumes.Add(volume with { SizeBytes = info.VolumeSizeBytes });
        }
        else if (IndexEntryName.TryGetBlocklist(name, hash, out int length)
            && copies.IsWanted(hash[..length]) && entry.Length <= (long)layout.HashesPerBlocklist * layout.BlockHash.LengthBytes())
        {
            byte[] content = new byte[(int)entry.Length];
            if (archive.Decode(entry, content, checkCrc: false) == DecodeResult.Decoded && layout.BlockHash.Matches(content, hash[..length]))
            {
                blocklists.Add((hash[..length].ToArray(), content));
            }
        }
    }

    public void AddTo(BlocklistCopies copies) => blocklists.ForEach(list => copies.Add(list.Hash, list.Content));

    /// <summary>A block volume as the index describes it.</summary>
    /// <param name="Name">Its name.</param>
    /// <param name="Blocks">Its blocks.</param>
    internal sealed record Described(string Name, List<(byte[] Hash, int SizeBytes)> Blocks) : IIndexSink
    {
        /// <summary>Its size; null if the index does not say.</summary>
        public long? SizeBytes { get; init; }

        public void Block(ReadOnlySpan<byte> hash, long sizeBytes) => Blocks.Add((hash.ToArray(), (int)sizeBytes));
    }
}
