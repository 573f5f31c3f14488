using Restore.Format;
using Restore.Memory;

namespace Restore.Writing;

/// <summary>The blocklists of the newest version: which blocks its large files consist of.</summary>
internal sealed class BlocklistCopies
{
    private readonly BlockSet wanted;
    private readonly byte[]?[] contents;

    public BlocklistCopies(BlockLayout layout, IEnumerable<byte[]> hashes)
    {
        wanted = new BlockSet(layout.BlockHash.LengthBytes());
        foreach (byte[] hash in hashes)
        {
            wanted.TryAdd(hash, 0, out _);
        }

        contents = new byte[]?[wanted.Count];
    }

    public bool IsWanted(ReadOnlySpan<byte> hash) => wanted.Find(hash, 0) >= 0;

    public void Add(byte[] hash, byte[] content) => contents[wanted.Find(hash, 0)] ??= content;

    /// <summary>The content of a blocklist; null if no index volume has a copy.</summary>
    public byte[]? Find(byte[] hash) => wanted.Find(hash, 0) is var list and >= 0 ? contents[list] : null;
}
