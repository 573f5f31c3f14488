namespace Restore.Reading;

/// <summary>
/// Reads the directory of a volume's archive, decodes the needed blocks and verifies each by its
/// hash, unless the files that need it are verified as a whole. Sends the blocks in batches, in the
/// order in which files need them.
/// </summary>
#pragma warning disable CA1001 // A semaphore has something to dispose only if its wait handle is used.
internal sealed class VolumeDecompressor(VolumeLoader loader, FetchList list, CancellationToken stopToken = default)
#pragma warning restore CA1001
{
    // The credit of a volume does not cover its decoded blocks: 1 KiB can decode to a large block.
    // So only few large blocks are in memory at the same time, here and in later stages. No later
    // stage keeps a large block until another one comes.
    private const int LargeBlocksBytes = 128 << 20;

    private readonly DataHasher hasher = new(list.Table.Hash);
    private readonly SemaphoreSlim? largeBlocks = list.LongestBlockBytes()
        is >= Extraction.LargeBlockBytes
            and var longest
        ? new(Math.Max(1, LargeBlocksBytes / longest))
        : null;

    /// <summary>
    /// The most memory that the large blocks of a list take, in addition to the volumes; 0 if the
    /// list has no large blocks.
    /// </summary>
    public static long LargeBlocksBytesOf(FetchList list) =>
        list.LongestBlockBytes() is >= Extraction.LargeBlockBytes and var longest
            ? Math.Max(LargeBlocksBytes, longest)
            : 0;

    public async Task RunAsync(
        IReadChannelEnd<VolumeDecrypted> input,
        IWriteChannelEnd<BlocksExtracted> output,
        CancellationToken cancellationToken
    )
    {
        List<WantedEntry> space = [];
        await foreach (VolumeDecrypted decrypted in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeDecrypted owned = decrypted;
            List<string> defects = decrypted.Failure is { } failure ? [failure.Sentence] : [];
            if (
                decrypted.Volume is { } volume
                && !await TryExtractAsync(volume, decrypted.Wanted, input, output, space, defects, cancellationToken)
                    .ConfigureAwait(false)
            )
            {
                continue;
            }

            VolumeEnd end = new(decrypted.Volume is { IsWhole: false }, defects)
            {
                Code = decrypted.Failure?.Code ?? IssueCode.None,
                FetchedBytes = decrypted.Volume is { } fetched
                    ? Math.Min(fetched.LengthBytes, fetched.Volume.SizeBytes)
                    : 0,
            };
            await output.WriteAsync(new BlocksExtracted(decrypted.Wanted) { End = end }).ConfigureAwait(false);
        }
    }

    /// <summary>
    /// Sends the blocks of a volume, and collects what is wrong with it; false if the stream was
    /// stopped in its middle.
    /// </summary>
    private async ValueTask<bool> TryExtractAsync(
        FetchedVolume volume,
        WantedVolume wanted,
        IReadChannelEnd<VolumeDecrypted> input,
        IWriteChannelEnd<BlocksExtracted> output,
        List<WantedEntry> space,
        List<string> defects,
        CancellationToken cancellationToken
    )
    {
        using WantedBlocks blocks = new(list, wanted);
        if (volume is not ChunkedVolume chunked)
        {
            await ExtractAsync(volume).ConfigureAwait(false);
            return true;
        }

        while (
            !stopToken.IsCancellationRequested
            && await chunked.NextAsync(cancellationToken).ConfigureAwait(false) is OpenedPart chunk
        )
        {
            using OpenedPart owned = chunk;
            await input.ReturnAsync();
            await ExtractAsync(chunk).ConfigureAwait(false);
        }

        await input.ReturnAsync();
        defects.AddRange(chunked.Defect is string defect ? [defect] : []);
        return !stopToken.IsCancellationRequested;

        async ValueTask ExtractAsync(FetchedVolume part)
        {
            using Extraction extraction = new(part, wanted, list, blocks, loader, space, hasher);
            while (await NextAsync(extraction, input, cancellationToken).ConfigureAwait(false) is { } batch)
            {
                await output.WriteAsync(batch).ConfigureAwait(false);
                cancellationToken.ThrowIfCancellationRequested();
            }

            defects.AddRange(extraction.Defects.Except(defects));
        }
    }

    private async ValueTask<BlocksExtracted?> NextAsync(
        Extraction extraction,
        IReadChannelEnd<VolumeDecrypted> input,
        CancellationToken cancellationToken
    )
    {
        if (largeBlocks is null)
        {
            return extraction.Next();
        }

        await largeBlocks.WaitAsync(cancellationToken).ConfigureAwait(false);
        SemaphorePlace? place = new(largeBlocks);
        try
        {
            await input.ReturnAsync();
            BlocksExtracted? batch = extraction.Next();
            if (extraction.TakeLargeBlock() is PooledBuffer buffer)
            {
                buffer.Attach(place);
                place = null;
            }

            return batch;
        }
        finally
        {
            place?.Dispose();
        }
    }
}

/// <summary>Decodes and verifies the needed blocks of one volume, batch by batch.</summary>
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
    private readonly FetchedVolume volume;
    private readonly List<string> defects;
    private readonly Archive? archive;
    private readonly WantedEntries? entries;
    private readonly BlockBuffers buffers;
    private BlockId delivered = BlockId.None;
    private PooledBuffer? largeBlock;

    public Extraction(
        FetchedVolume volume,
        WantedVolume wanted,
        FetchList list,
        WantedBlocks blocks,
        VolumeLoader loader,
        List<WantedEntry> space,
        DataHasher hasher
    )
    {
        this.hasher = hasher;
        this.volume = volume;
        this.wanted = wanted;
        this.list = list;
        defects = volume.Defect is null ? [] : [volume.Defect];
        buffers = new BlockBuffers(loader.Pool, BatchBytes);
        try
        {
            archive = volume.OpenArchive(loader.Codecs);
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

    private bool IsSound => defects.Count == 0 && entries?.Defect is null;

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

        PooledBuffer buffer = volume.Buffer;
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

        PooledBuffer buffer = volume.Buffer;
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
