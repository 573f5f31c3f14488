namespace Restore.Reading;

/// <summary>
/// Reads the directory of a volume's archive, decodes the needed blocks and verifies each by its hash, unless the files that need it are verified as a
/// whole. Sends the blocks in batches, in the order in which files need them.
/// </summary>
#pragma warning disable CA1001 // A semaphore has something to dispose only if its wait handle is used.
internal sealed class VolumeDecompressor(VolumeLoader loader, FetchList list)
#pragma warning restore CA1001
{
    // Decoded blocks of a volume are not covered by its credit: 1 KiB can be the whole of a large block. So few large blocks are in memory at once, here and
    // below. Nothing below keeps one until another one comes.
    private const int LargeBlocksBytes = 128 << 20;

    private readonly DataHasher hasher = new(list.Table.Hash);
    private readonly SemaphoreSlim? largeBlocks =
        list.LongestBlockBytes() is >= Extraction.LargeBlockBytes and var longest ? new(Math.Max(1, LargeBlocksBytes / longest)) : null;

    /// <summary>What the large blocks of a list take at most, beside the volumes; 0 if it has none.</summary>
    public static long LargeBlocksBytesOf(FetchList list) =>
        list.LongestBlockBytes() is >= Extraction.LargeBlockBytes and var longest ? Math.Max(LargeBlocksBytes, longest) : 0;

    public async Task RunAsync(IReadChannelEnd<VolumeDecrypted> input, IWriteChannelEnd<BlocksExtracted> output, CancellationToken cancellationToken)
    {
        List<WantedEntry> space = [];
        await foreach (VolumeDecrypted decrypted in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeDecrypted owned = decrypted;
            VolumeEnd end = decrypted.Volume is null
                ? new VolumeEnd(IsReadInPart: false, decrypted.Failure is string failure ? [failure] : [])
                : await ExtractAsync(decrypted.Volume, decrypted.Wanted, input, output, space, cancellationToken).ConfigureAwait(false);
            await output.WriteAsync(new BlocksExtracted(decrypted.Wanted) { End = end }).ConfigureAwait(false);
        }
    }

    private async ValueTask<VolumeEnd> ExtractAsync(
        FetchedVolume volume,
        WantedVolume wanted,
        IReadChannelEnd<VolumeDecrypted> input,
        IWriteChannelEnd<BlocksExtracted> output,
        List<WantedEntry> space,
        CancellationToken cancellationToken)
    {
        using Extraction extraction = new(volume, wanted, list, loader, space, hasher);
        while (await NextAsync(extraction, input, cancellationToken).ConfigureAwait(false) is { } batch)
        {
            await output.WriteAsync(batch).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
        }

        return new VolumeEnd(!volume.IsWhole, extraction.Defects) { FetchedBytes = Math.Min(volume.LengthBytes, volume.Volume.SizeBytes) };
    }

    private async ValueTask<BlocksExtracted?> NextAsync(
        Extraction extraction, IReadChannelEnd<VolumeDecrypted> input, CancellationToken cancellationToken)
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
