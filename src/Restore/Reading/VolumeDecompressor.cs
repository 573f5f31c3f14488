namespace Restore.Reading;

/// <summary>
/// Reads the directory of a volume's archive, decodes the needed blocks and verifies each by its hash, unless the files that need it are verified as a
/// whole. Sends the blocks in batches, in the order in which files need them.
/// </summary>
#pragma warning disable CA1001 // A semaphore has something to dispose only if its wait handle is used.
internal sealed class VolumeDecompressor(VolumeLoader loader, FetchList list, CancellationToken stopToken = default)
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
            List<string> defects = decrypted is { Volume: null, Failure: string failure } ? [failure] : [];
            if (decrypted.Volume is { } volume
                && !await TryExtractAsync(volume, decrypted.Wanted, input, output, space, defects, cancellationToken).ConfigureAwait(false))
            {
                continue;
            }

            VolumeEnd end = new(decrypted.Volume is { IsWhole: false }, defects)
            {
                FetchedBytes = decrypted.Volume is { } fetched ? Math.Min(fetched.LengthBytes, fetched.Volume.SizeBytes) : 0,
            };
            await output.WriteAsync(new BlocksExtracted(decrypted.Wanted) { End = end }).ConfigureAwait(false);
        }
    }

    /// <summary>Sends the blocks of a volume, and collects what is wrong with it; false if the stream was stopped in its middle.</summary>
    private async ValueTask<bool> TryExtractAsync(
        FetchedVolume volume,
        WantedVolume wanted,
        IReadChannelEnd<VolumeDecrypted> input,
        IWriteChannelEnd<BlocksExtracted> output,
        List<WantedEntry> space,
        List<string> defects,
        CancellationToken cancellationToken)
    {
        if (volume is not ChunkedVolume chunked)
        {
            await ExtractAsync(volume).ConfigureAwait(false);
            return true;
        }

        while (!stopToken.IsCancellationRequested && await chunked.NextAsync(cancellationToken).ConfigureAwait(false) is OpenedPart chunk)
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
            using Extraction extraction = new(part, wanted, list, loader, space, hasher);
            while (await NextAsync(extraction, input, cancellationToken).ConfigureAwait(false) is { } batch)
            {
                await output.WriteAsync(batch).ConfigureAwait(false);
                cancellationToken.ThrowIfCancellationRequested();
            }

            defects.AddRange(extraction.Defects.Except(defects));
        }
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
