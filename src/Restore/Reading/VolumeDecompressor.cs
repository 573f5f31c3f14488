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
        VolumeReader volume,
        WantedVolume wanted,
        IReadChannelEnd<VolumeDecrypted> input,
        IWriteChannelEnd<BlocksExtracted> output,
        List<WantedEntry> space,
        List<string> defects,
        CancellationToken cancellationToken
    )
    {
        using WantedBlocks blocks = new(list, wanted);
        Note(defects, volume.Defect);
        while (await volume.NextAsync(stopToken, cancellationToken).ConfigureAwait(false) is VolumeChunk chunk)
        {
            using VolumeChunk owned = chunk;
            await input.ReturnAsync();
            await ExtractAsync(chunk).ConfigureAwait(false);
        }

        await input.ReturnAsync();
        Note(defects, volume.Defect);
        return !volume.IsStopped;

        async ValueTask ExtractAsync(VolumeChunk chunk)
        {
            using Extraction extraction = new(
                chunk,
                volume.Defect is null,
                wanted,
                list,
                blocks,
                loader,
                space,
                hasher
            );
            while (await NextAsync(extraction, input, cancellationToken).ConfigureAwait(false) is { } batch)
            {
                await output.WriteAsync(batch).ConfigureAwait(false);
                cancellationToken.ThrowIfCancellationRequested();
            }

            defects.AddRange(extraction.Defects.Except(defects));
        }
    }

    private static void Note(List<string> defects, string? defect)
    {
        if (defect is not null && !defects.Contains(defect))
        {
            defects.Add(defect);
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
