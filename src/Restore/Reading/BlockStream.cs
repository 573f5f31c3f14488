namespace Restore.Reading;

/// <summary>
/// The block stream: turns a list of needed blocks into batches of verified blocks, in bounded
/// memory. It is wired as in the picture:
/// <code>
/// VolumeManager --> VolumeDownloader[d] --> VolumeDecryptor[x] --> VolumeDecompressor[e]
/// </code>
/// Volumes start in the order of the list, and the blocks of each volume come in the order of the
/// list. Where a stage has several copies, the batches of neighboring volumes interleave. The
/// stream knows no files, and any number of reads may run concurrently.
/// </summary>
internal sealed class BlockStream(
    VolumeLoader loader,
    RangePolicy ranges,
    ReadingSettings settings,
    Func<string, Meter?> meterOf,
    TimeProvider time
)
{
    public BufferPool Pool => loader.Pool;

    /// <summary>
    /// Chooses the number of concurrent transfers; null if the number is fixed, or the store is
    /// local.
    /// </summary>
    public DownloadGate? Downloads { get; } =
        settings.AdaptsDownloads ? new DownloadGate(settings.VolumeDownloaders, time) : null;

    /// <summary>Holds back what is not asked for yet; null if nothing does.</summary>
    public RestorePause? Pause { get; init; }

    /// <summary>Whether volumes come over a network.</summary>
    public bool IsRemote => !loader.Store.IsLocal;

    public bool ReadsWhole(Volume volume) => !ranges.CanReadParts(volume, loader.Store.HasRanges);

    /// <summary>
    /// Adds the four processes to a network, for consumers that are processes of that network.
    /// </summary>
    /// <param name="stopToken">Ends the stream after the volumes that are in memory, and drops
    /// those that are on their way.</param>
    public Channel<BlocksExtracted> AddTo(ProcessNetwork network, FetchList list, CancellationToken stopToken)
    {
        list = list.InParts(
            volume => ranges.ReadsInParts(volume, loader.Store.HasRanges),
            RangePolicy.PartOfLargeBytes
        );
        Channel<VolumeRequested> requested = network.CreateChannel<VolumeRequested>(
            "VolumeRequested",
            settings.ChannelCapacity
        );
        Channel<VolumeFetched> fetched = network.CreateChannel<VolumeFetched>(
            "VolumeFetched",
            settings.ChannelCapacity
        );
        Channel<VolumeDecrypted> decrypted = network.CreateChannel<VolumeDecrypted>(
            "VolumeDecrypted",
            settings.ChannelCapacity
        );
        Channel<BlocksExtracted> extracted = network.CreateChannel<BlocksExtracted>(
            "BlocksExtracted",
            settings.ChannelCapacity
        );
        int largestBytes = LargestVolumeBytes(list);
        loader.Pool.Expect(largestBytes);
        bool hasTexts = list.Volumes.Any(volume => volume.Volume.HasText);
        long largeBlocksBytes = VolumeDecompressor.LargeBlocksBytesOf(list);
        VolumeCredit credit = new(
            settings.BytesInFlight
                ?? ranges.BytesInFlight(
                    largestBytes,
                    loader.Store,
                    largeBlocksBytes,
                    hasTexts,
                    settings.VolumesInFlight
                )
        );

        VolumeManager manager = new(list, credit, stopToken);
        VolumeDownloader downloader = new(loader, list, ranges, Downloads, settings.UsesSpool, Pause, stopToken);
        VolumeDecompressor decompressor = new(loader, list, stopToken);
        network.AddSource("VolumeManager", requested, manager.RunAsync);
        network.AddStage("VolumeDownloader", settings.VolumeDownloaders, requested, fetched, downloader.RunAsync);
        network.AddStage(
            "VolumeDecryptor",
            settings.VolumeDecryptors,
            fetched,
            decrypted,
            VolumeDecryptor.RunAsync,
            onOwnThreads: true
        );
        network.AddStage(
            "VolumeDecompressor",
            settings.VolumeDecompressors,
            decrypted,
            extracted,
            decompressor.RunAsync,
            onOwnThreads: true
        );
        return extracted;
    }

    /// <summary>
    /// Reads blocks and passes each batch to a consumer, one batch at a time. The stream waits for
    /// the consumer, which bounds the memory.
    /// </summary>
    /// <param name="consume">Receives a batch. It owns the blocks that it takes out; the stream
    /// disposes the others.</param>
    /// <exception cref="RestoreException">A process or the consumer failed unexpectedly. The loss
    /// of a volume or a block is not a failure: the block does not come, and the last batch of the
    /// volume says why.</exception>
    public async Task<IReadOnlyList<ProcessProfile>> ReadBatchesAsync(
        FetchList list,
        Func<BlocksExtracted, CancellationToken, ValueTask> consume,
        CancellationToken cancellationToken
    )
    {
        ProcessNetwork network = new(meterOf);
        Channel<BlocksExtracted> extracted = AddTo(network, list, CancellationToken.None);
        network.AddSink(
            "BlockCollector",
            1,
            extracted,
            async (input, token) =>
            {
                await foreach (BlocksExtracted batch in input.ReadAllAsync().ConfigureAwait(false))
                {
                    using BlocksExtracted owned = batch;
                    await consume(batch, token).ConfigureAwait(false);
                }
            }
        );
        await network.RunGuardedAsync(cancellationToken).ConfigureAwait(false);
        return network.Profile();
    }

    /// <summary>
    /// Reads blocks and passes the bytes of each to a consumer, one block at a time; the bytes are
    /// valid during the call.
    /// </summary>
    /// <remarks>
    /// Blocks that do not come are read again from the volumes that could be repaired.
    /// </remarks>
    public async Task<IReadOnlyList<ProcessProfile>> ReadAsync(
        FetchList list,
        Action<BlockId, ReadOnlyMemory<byte>> onBlock,
        CancellationToken cancellationToken
    )
    {
        if (loader.Mender is not { CanMend: true } mender)
        {
            return await ReadBatchesAsync(list, (batch, _) => TakeAll(batch, onBlock), cancellationToken)
                .ConfigureAwait(false);
        }

        HashSet<BlockId> missing = [.. list.Blocks];
        IReadOnlyList<ProcessProfile> profile = await ReadBatchesAsync(
                list,
                (batch, _) => TakeAll(batch, Take),
                cancellationToken
            )
            .ConfigureAwait(false);
        List<BlockId> blocks = [];
        List<WantedVolume> mended = [];
        foreach (WantedVolume wanted in missing.Count > 0 ? list.Volumes : [])
        {
            BlockId[] lost = [.. list.Blocks.AsSpan(wanted.First, wanted.Count).ToArray().Where(missing.Contains)];
            if (
                lost.Length > 0
                && await mender.MendAsync(wanted.Volume, cancellationToken).ConfigureAwait(false) is Volume volume
            )
            {
                mended.Add(new WantedVolume(volume, blocks.Count, lost.Length));
                blocks.AddRange(lost);
            }
        }

        return mended.Count == 0
            ? profile
            : await ReadBatchesAsync(
                    new FetchList(list.Table, [.. blocks], mended, ownHash: null),
                    (batch, _) => TakeAll(batch, onBlock),
                    cancellationToken
                )
                .ConfigureAwait(false);

        void Take(BlockId block, ReadOnlyMemory<byte> bytes)
        {
            missing.Remove(block);
            onBlock(block, bytes);
        }
    }

    private static ValueTask TakeAll(BlocksExtracted batch, Action<BlockId, ReadOnlyMemory<byte>> onBlock)
    {
        while (batch.TryTake(out BlockBytes block))
        {
            using BlockBytes taken = block;
            onBlock(block.Block, block.Memory);
        }

        return ValueTask.CompletedTask;
    }

    private static int LargestVolumeBytes(FetchList list) =>
        (int)
            list
                .Volumes.Select(volume => volume.PartBytes ?? volume.Volume.SizeBytes)
                .Where(size => size <= Array.MaxLength)
                .DefaultIfEmpty()
                .Max();
}
