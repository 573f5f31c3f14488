namespace Restore.Reading;

/// <summary>Decodes and verifies the needed blocks of one chunk of a volume, batch by batch.</summary>
internal sealed class Extraction : IDisposable
{
    /// <summary>
    /// Blocks of this length and more are counted one by one, and a batch has at most one that was
    /// decoded.
    /// </summary>
    public const int LargeBlockBytes = 16 << 20;

    // A batch is long enough to make the cost of a message negligible, and short enough to stay in
    // the processor's cache.
    private const int BatchBytes = 1 << 20;

    // A list of this many items is not a large object, which would stay in memory until the next
    // full collection.
    private const int MostInBatch = 1024;

    // Deflate's maximum: 1,032 bytes out of one. An entry that claims more gets no memory.
    private const int MaxDeflateRatio = 1032;

    private readonly FetchList list;
    private readonly WantedVolume wanted;
    private readonly DataHasher hasher;
    private readonly VolumeChunk chunk;
    private readonly bool isSound;
    private readonly List<string> defects = [];
    private readonly Archive? archive;
    private readonly WantedEntries? entries;
    private readonly BlockBuffers buffers;
    private BlockId delivered = BlockId.None;
    private PooledBuffer? largeBlock;

    /// <param name="isSound">Whether no defect of the volume is known.</param>
    /// <param name="space">A list to reuse from chunk to chunk.</param>
    public Extraction(
        VolumeChunk chunk,
        bool isSound,
        WantedVolume wanted,
        FetchList list,
        WantedBlocks blocks,
        VolumeLoader loader,
        List<WantedEntry> space,
        DataHasher hasher
    )
    {
        this.hasher = hasher;
        this.chunk = chunk;
        this.isSound = isSound;
        this.wanted = wanted;
        this.list = list;
        buffers = new BlockBuffers(loader.Pool, BatchBytes);
        try
        {
            archive = chunk.OpenArchive(loader.Codecs);
            entries = new WantedEntries(archive, list, blocks, space);
            if (archive.IsSalvaged)
            {
                defects.Add("The directory of the archive is damaged; its entries were found one by one");
            }
        }
        catch (Exception failure) when (failure is InvalidDataException or UnsupportedMethodException)
        {
            defects.Add(failure.Reason());
        }
    }

    public IReadOnlyList<string> Defects => entries?.Defect is string brokenOff ? [.. defects, brokenOff] : defects;

    private bool IsSound => isSound && defects.Count == 0 && entries?.Defect is null;

    public BlocksExtracted? Next()
    {
        BlocksExtracted batch = new(wanted);
        try
        {
            while (
                entries is not null
                && HasRoom(batch, entries)
                && entries.MoveNext(out BlockId block, out ArchiveEntry entry)
            )
            {
                // An archive may have an entry twice.
                if (block != delivered && TryExtract(block, entry, batch))
                {
                    delivered = block;
                }
            }
        }
        catch
        {
            batch.Dispose();
            throw;
        }

        return batch.Count > 0 ? batch : null;
    }

    /// <summary>
    /// The memory of the large block that the last batch got; null if it got none.
    /// </summary>
    public PooledBuffer? TakeLargeBlock()
    {
        PooledBuffer? taken = largeBlock;
        largeBlock = null;
        return taken;
    }

    public void Dispose()
    {
        buffers.Dispose();
        archive?.Dispose();
    }

    /// <summary>
    /// Whether a batch takes another block. A full one takes a short rest along, so that a chunk of
    /// a volume is one message.
    /// </summary>
    private static bool HasRoom(BlocksExtracted batch, WantedEntries entries) =>
        batch.Count < MostInBatch
        && (batch.Bytes < BatchBytes || (batch.Bytes < 2 * BatchBytes && entries.BytesLeft < BatchBytes));

    private bool TryExtract(BlockId block, in ArchiveEntry entry, BlocksExtracted batch)
    {
        try
        {
            return archive!.TryGetStored(entry, out ReadOnlyMemory<byte> stored)
                ? TryUseStored(block, stored, batch)
                : (entry.Method != 8 || entry.Length / MaxDeflateRatio <= entry.CompressedLength)
                    && TryDecode(block, entry, batch);
        }
        catch (UnsupportedMethodException failure)
        {
            if (!defects.Contains(failure.Reason()))
            {
                defects.Add(failure.Reason());
            }

            return false;
        }
    }

    private bool TryUseStored(BlockId block, ReadOnlyMemory<byte> stored, BlocksExtracted batch)
    {
        if (!IsRight(block, stored.Span))
        {
            return false;
        }

        PooledBuffer buffer = chunk.Buffer;
        int offset = stored.Length == 0 ? 0 : OffsetIn(buffer, stored.Span);
        buffer.AddUsers();
        batch.Add(new BlockBytes(block, buffer, offset, stored.Length, IsShared: true) { IsStored = true });
        return true;
    }

    private bool TryDecode(BlockId block, in ArchiveEntry entry, BlocksExtracted batch)
    {
        int length = (int)entry.Length;
        PooledBuffer buffer = buffers.Take(length, out int offset, out bool isShared);
        bool isGood = false;
        try
        {
            Span<byte> bytes = buffer.Room.Span.Slice(offset, length);
            isGood = archive!.Decode(entry, bytes, checkCrc: false) == DecodeResult.Decoded && IsRight(block, bytes);
        }
        finally
        {
            if (isGood)
            {
                batch.Add(
                    new BlockBytes(block, buffer, offset, length, isShared)
                    {
                        Packed = list.KeepsPacked ? PackedOf(entry) : null,
                    }
                );
                largeBlock = length >= LargeBlockBytes ? buffer : largeBlock;
            }
            else
            {
                buffer.Dispose();
            }
        }

        return isGood;
    }

    private PackedBytes? PackedOf(in ArchiveEntry entry)
    {
        if (!archive!.TryGetDeflated(entry, out ReadOnlyMemory<byte> packed) || packed.Length == 0)
        {
            return null;
        }

        PooledBuffer buffer = chunk.Buffer;
        buffer.AddUsers();
        return new PackedBytes(buffer, OffsetIn(buffer, packed.Span), packed.Length);
    }

    /// <summary>
    /// Whether the bytes are accepted as the block. For a sound volume, the hashes of files may
    /// decide that later.
    /// </summary>
    private bool IsRight(BlockId block, ReadOnlySpan<byte> bytes) =>
        (IsSound && !list.NeedsOwnHash(block)) || hasher.Matches(bytes, list.Table.HashOf(block));

    private static int OffsetIn(PooledBuffer buffer, ReadOnlySpan<byte> part) =>
        (int)Unsafe.ByteOffset(ref MemoryMarshal.GetReference(buffer.Room.Span), ref MemoryMarshal.GetReference(part));
}
