namespace Restore.Catalog;

/// <summary>
/// The numbered blocks of a version, by (hash, size) (<see cref="BlockSet"/>). <see cref="Locations"/> says which volumes have them.
/// While the table grows it has one owner; once it is frozen, look-ups may run concurrently.
/// </summary>
internal sealed class BlockTable(HashKind hash)
{
    private readonly BlockSet blocks = new(hash.LengthBytes());

    public HashKind Hash { get; } = hash;

    public int Count => blocks.Count;

    /// <summary>The blocks; no longer for this table once another owner adds to them.</summary>
    public BlockSet Set => blocks;

    /// <summary>Whether the table accepts no more blocks, so that any thread may look up in it.</summary>
    public bool IsFrozen { get; private set; }

    public void Freeze() => IsFrozen = true;

    /// <summary>Gives memory back until the next look-up by name. Nobody else may use the table during the call.</summary>
    public void DropIndex() => blocks.DropTable();

    /// <summary>Returns the number of a block; adds the block if it is new.</summary>
    /// <exception cref="InvalidOperationException">The table is frozen.</exception>
    public BlockId GetOrAdd(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        if (IsFrozen)
        {
            throw new InvalidOperationException("The block table is frozen: others look up in it");
        }

        blocks.TryAdd(hash, sizeBytes, out int block);
        return new BlockId(block);
    }

    /// <summary>Returns the number of a block, or none.</summary>
    public BlockId Find(ReadOnlySpan<byte> hash, long sizeBytes) => new(blocks.Find(hash, sizeBytes));

    public void Save(BinaryWriter writer) => blocks.Save(writer);

    public void Load(BinaryReader reader)
    {
        blocks.Load(reader);
        Freeze();
    }

    public ReadOnlySpan<byte> HashOf(BlockId block) => blocks.HashOf(block);

    public int SizeOf(BlockId block) => blocks.SizeOf(block);
}

/// <summary>How many blocks a backup may claim: what it lists costs an attacker nothing, and costs memory here.</summary>
internal static class BlockBudget
{
    /// <summary>What a file list may declare without volumes to explain it: 1.6 TiB of zeros in blocks of 100 KiB.</summary>
    public const long FreeInContents = 16L << 20;

    // For volumes that were cut after their index volumes were made.
    private const long FreeInVolumes = 1 << 17;

    // A block takes more bytes of its volume than this, for its name alone.
    private const int BytesPerBlock = 32;

    public static long OfContents(long volumeBytes, long free = FreeInContents) => free + (volumeBytes / BytesPerBlock);

    public static long OfVolumes(long volumeBytes) => FreeInVolumes + (volumeBytes / BytesPerBlock);

    public static long BytesOf(VolumeSet volumes) => volumes.Blocks.Sum(volume => volume.SizeBytes);
}

/// <summary>The full block of zeros: its hash identifies it, so it is never fetched.</summary>
internal static class ZeroBlock
{
    /// <summary>The id of the block in a version, or none if no content has it.</summary>
    public static BlockId Find(VersionContent content) => content.Blocks.Find(HashOf(content.Layout), content.Layout.BlockSizeBytes);

    public static byte[] HashOf(BlockLayout layout)
    {
        using PartsHash hash = new(layout.BlockHash);
        byte[] zeros = new byte[64 << 10];
        for (int left = layout.BlockSizeBytes; left > 0; left -= Math.Min(left, zeros.Length))
        {
            hash.Append(zeros.AsSpan(0, Math.Min(left, zeros.Length)));
        }

        byte[] digest = new byte[layout.BlockHash.LengthBytes()];
        hash.Finish(digest);
        return digest;
    }
}
