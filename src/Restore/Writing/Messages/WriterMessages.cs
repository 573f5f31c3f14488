using Restore.Writing.Source;

namespace Restore.Writing.Messages;

/// <summary>
/// A batch of entries in the order of the walk, and the entries that could not be read.
/// </summary>
internal sealed class EntriesFound
{
    public List<SourceEntry> Entries { get; } = [];

    public List<RestoreIssue> Issues { get; } = [];
}

/// <summary>An entry as it will be in the file list.</summary>
internal readonly record struct ReadEntry(
    SourceEntry Source,
    ContentHashes Content,
    ContentHashes Metadata,
    bool IsSame
);

/// <summary>A batch of entries that were read, and the entries that could not be read.</summary>
internal sealed class EntriesRead
{
    public List<ReadEntry> Entries { get; } = [];

    public List<RestoreIssue> Issues { get; } = [];

    public int Count => Entries.Count + Issues.Count;
}

/// <param name="Data">Its content; this value owns one use of it.</param>
/// <param name="IsBlocklist">Whether it is a blocklist: it does not compress, and its index volume
/// has a copy.</param>
/// <param name="IsStored">Whether to store it uncompressed, because files of its type are already
/// compressed.</param>
internal readonly record struct HashedBlock(byte[] Hash, PooledBuffer Data, bool IsBlocklist, bool IsStored = false)
    : IDisposable,
        IMeasured
{
    public long Bytes => Data.Length;

    public void Dispose() => Data.Dispose();
}

/// <summary>A batch of blocks in the order in which they were cut.</summary>
internal sealed class BlocksHashed : Batch<HashedBlock>;

/// <summary>A block as it will be stored in a volume.</summary>
/// <param name="Data">Its data; this value owns one use of it.</param>
/// <param name="Method">How the data is compressed, by its zip number.</param>
/// <param name="Crc32">CRC-32 of the content.</param>
/// <param name="IsBlocklist">Whether it is a blocklist; blocklists are never compressed.</param>
internal readonly record struct CompressedBlock(
    byte[] Hash,
    PooledBuffer Data,
    ushort Method,
    uint Crc32,
    int LengthBytes,
    bool IsBlocklist
) : IDisposable, IMeasured
{
    public long Bytes => Data.Length;

    public void Dispose() => Data.Dispose();
}

internal sealed class BlocksCompressed : Batch<CompressedBlock>;

/// <summary>A finished archive in its buffer, before encryption.</summary>
internal readonly record struct PlainVolume(PooledBuffer Buffer, int ArchiveLength);

internal sealed class VolumeBuilt(PlainVolume plain, BlockList blocks, List<(byte[] Hash, byte[] Content)> blocklists)
    : IDisposable,
        IMeasured
{
    private PooledBuffer? owned = plain.Buffer;

    public BlockList Blocks { get; } = blocks;

    public List<(byte[] Hash, byte[] Content)> Blocklists { get; } = blocklists;

    public long Bytes => plain.ArchiveLength;

    public PlainVolume TakeArchive()
    {
        owned = null;
        return plain;
    }

    public void Dispose()
    {
        owned?.Dispose();
        owned = null;
    }
}

/// <summary>A volume as it will be stored in the destination.</summary>
/// <param name="Content">Its content; this value owns one use of it.</param>
internal readonly record struct NamedVolume(string Name, PooledBuffer Content);

internal sealed class VolumeEncrypted(NamedVolume blocks, NamedVolume index, IndexedVolume indexed)
    : IDisposable,
        IMeasured
{
    public NamedVolume Blocks { get; } = blocks;

    public NamedVolume Index { get; } = index;

    /// <summary>
    /// What the index volume says, to make another one if the block volume gets another name.
    /// </summary>
    public IndexedVolume Indexed { get; } = indexed;

    public long Bytes { get; } = blocks.Content.Length + index.Content.Length;

    public void Dispose()
    {
        Blocks.Content.Dispose();
        Index.Content.Dispose();
    }
}
