namespace Restore.Volumes;

/// <summary>
/// A zip volume of a local store that is read once, in order, in chunks of whole entries, each
/// authenticated and decrypted while it is in the processor's cache. Only the directory and a few
/// chunks are in memory. Only at its end is it known whether the volume is authentic: until then a
/// block counts by its own hash or the hash of its file, as in a volume that is read in part
/// (docs/decisions/0036-volumes-in-chunks.md).
/// </summary>
#pragma warning disable CA2213 // A semaphore has something to dispose only if its wait handle is used, and chunks outlive the volume.
internal sealed class ChunkedVolume : VolumeReader
#pragma warning restore CA2213
{
    // The directory of a smaller volume would be read twice for nothing.
    private const int LeastVolumeBytes = 4 << 20;

    // A chunk stays in the processor's cache between its authentication and its decryption.
    private const int ChunkBytes = 1 << 20;

    // A volume of longer entries is read whole: a few of them take as much memory.
    private const int MaxChunkBytes = 16 << 20;

    // One is decoded, and the blocks of the others, stored without compression, are on their way to
    // their files.
    private const int ChunksInMemory = 3;

    private readonly SparseVolume source;
    private readonly List<EntryRun> chunks;
    private readonly SemaphoreSlim places = new(ChunksInMemory);
    private readonly long chunkBytes;
    private readonly IDisposable? opened;
    private AesCryptAuthenticator? authenticator;
    private int next;

    private ChunkedVolume(
        Volume volume,
        SparseVolume source,
        List<EntryRun> chunks,
        long chunkBytes,
        IVolumeStore store
    )
        : base(volume)
    {
        opened = (store as IOpenFiles)?.KeepOpen(volume.FileName);
        this.source = source;
        this.chunks = chunks;
        this.chunkBytes = chunkBytes;
    }

    public override bool IsWhole => true;

    public override int LengthBytes => (int)Math.Min(Volume.SizeBytes, int.MaxValue);

    public override long MemoryBytes => source.MemoryBytes + (ChunksInMemory * chunkBytes);

    /// <summary>Whether a volume is worth reading in chunks.</summary>
    public static bool Suits(Volume volume, VolumeLoader loader, RangePolicy ranges) =>
        volume.SizeBytes >= LeastVolumeBytes
        && loader.Store.IsLocal
        && loader.Fetched is null
        && ranges.CanReadParts(volume, loader.Store.HasRanges);

    /// <summary>
    /// Reads the directory of a volume; returns null if the volume should be read whole, because
    /// that failed or its entries are long.
    /// </summary>
    public static async ValueTask<ChunkedVolume?> TryOpenAsync(
        VolumeLoader loader,
        Volume volume,
        RangePolicy ranges,
        CancellationToken cancellationToken
    )
    {
        SparseVolume? source = null;
        try
        {
            source = await SparseVolume.OpenAsync(loader, volume, ranges, cancellationToken).ConfigureAwait(false);
            List<EntryRun> chunks = source.Runs(ChunkBytes);
            long chunkBytes = chunks.Select(run => run.LengthBytes).DefaultIfEmpty().Max();
            if (chunkBytes > MaxChunkBytes)
            {
                return null;
            }

            ChunkedVolume opened = new(volume, source, chunks, chunkBytes, loader.Store);
            source = null;
            return opened;
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure) && VolumeLoader.FitsWhole(volume.SizeBytes))
        {
            Log.PartRefused(loader.Logger, volume.FileName, failure.Reason());
            return null;
        }
        finally
        {
            source?.Dispose();
        }
    }

    /// <summary>
    /// Begins the authentication. Each chunk is authenticated and decrypted when it is read.
    /// </summary>
    public override ValueTask DecryptAsync(CancellationToken cancellationToken)
    {
        authenticator = source.CreateAuthenticator();
        return ValueTask.CompletedTask;
    }

    /// <summary>Reads the next chunk that can be read.</summary>
    public override async ValueTask<VolumeChunk?> NextAsync(
        CancellationToken stopToken,
        CancellationToken cancellationToken
    )
    {
        while (next <= chunks.Count)
        {
            if (stopToken.IsCancellationRequested)
            {
                IsStopped = true;
                return null;
            }

            int chunk = next++;
            try
            {
                if (chunk < chunks.Count)
                {
                    return await ReadAsync(chunks[chunk], cancellationToken).ConfigureAwait(false);
                }

                Defect ??= authenticator is null
                    ? null
                    : await source.VerifyAsync(authenticator, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception failure) when (VolumeLoader.IsLoss(failure))
            {
                // The chunks after one that cannot be read may be fine, but nothing authenticates
                // them together.
                Defect ??= failure.Reason();
                authenticator?.Dispose();
                authenticator = null;
            }
        }

        return null;
    }

    public override void Dispose()
    {
        base.Dispose();
        authenticator?.Dispose();
        source.Dispose();
        opened?.Dispose();
    }

    private async ValueTask<VolumeChunk> ReadAsync(EntryRun run, CancellationToken cancellationToken)
    {
        await places.WaitAsync(cancellationToken).ConfigureAwait(false);
        SemaphorePlace place = new(places);
        try
        {
            VolumeChunk chunk = await source.ReadAsync(run, authenticator, cancellationToken).ConfigureAwait(false);
            chunk.Buffer.Attach(place);
            return chunk;
        }
        catch
        {
            place.Dispose();
            throw;
        }
    }
}
