using Restore.Compression.Zip;

namespace Restore.Volumes;

/// <summary>
/// A zip volume, plain or AES, with only its directory in memory; entries are read by ranges. The
/// bytes are not authenticated. Any damage is an <see cref="InvalidDataException"/>; the caller can
/// read the whole volume instead.
/// </summary>
internal sealed class SparseVolume : IDisposable
{
    // Concurrent requests for parts of one volume: they wait for latency, not for bytes.
    private const int Parallelism = 4;

    // A million blocks.
    private const long MaxDirectoryBytes = 100_000_000;

    private readonly VolumeLoader loader;
    private readonly Volume volume;
    private readonly RangePolicy policy;
    private readonly PlainRanges ranges;
    private SparseDirectory? directory;

    private SparseVolume(VolumeLoader loader, Volume volume, RangePolicy policy)
    {
        this.loader = loader;
        this.volume = volume;
        this.policy = policy;
        ranges = new PlainRanges(loader, volume);
    }

    /// <summary>
    /// All entries of the directory by their offset; <see cref="NameOf"/> has their names.
    /// </summary>
    public ReadOnlySpan<ArchiveEntry> Entries => Directory.Entries;

    public long MemoryBytes => Directory.MemoryBytes;

    private SparseDirectory Directory => directory ?? throw new ObjectDisposedException(nameof(SparseVolume));

    /// <exception cref="InvalidDataException">The header or the directory is damaged, or the volume
    /// is shorter than its listed size.</exception>
    /// <exception cref="PassphraseException">The passphrase does not open the volume.</exception>
    /// <exception cref="IOException">The store cannot read the volume.</exception>
    public static async ValueTask<SparseVolume> OpenAsync(
        VolumeLoader loader,
        Volume volume,
        RangePolicy policy,
        CancellationToken cancellationToken
    )
    {
        SparseVolume sparse = new(loader, volume, policy);
        try
        {
            if (loader.Spool is { } spool)
            {
                await spool.EnsureAsync(volume, cancellationToken).ConfigureAwait(false);
            }

            await sparse.ReadDirectoryAsync(cancellationToken).ConfigureAwait(false);
            return sparse;
        }
        catch
        {
            sparse.Dispose();
            throw;
        }
    }

    public bool IsOf(Volume other) => ReferenceEquals(volume, other);

    public ReadOnlySpan<byte> NameOf(in ArchiveEntry entry) => Directory.NameOf(entry);

    /// <summary>The entries with some names (the first argument) and lengths.</summary>
    public List<ArchiveEntry> Find(Func<ReadOnlySpan<byte>, long, bool> isWanted)
    {
        List<ArchiveEntry> found = [];
        foreach (ref readonly ArchiveEntry entry in Entries)
        {
            if (isWanted(NameOf(entry), entry.Length))
            {
                found.Add(entry);
            }
        }

        return found;
    }

    /// <summary>
    /// Fetches entries, merging neighbors; returns null if fetching the whole volume costs no more.
    /// This volume must not be disposed before their decryption.
    /// </summary>
    public async ValueTask<FetchedEntries?> TryFetchAsync(
        List<ArchiveEntry> wanted,
        CancellationToken cancellationToken
    )
    {
        PartLayout layout = new(Directory, [.. wanted], policy.RequestCostBytes);
        return policy.IsWorth(volume.SizeBytes, layout.DataBytes, layout.Ranges.Count)
            ? await FetchAsync(layout, cancellationToken).ConfigureAwait(false)
            : null;
    }

    /// <summary>
    /// Reads entries, merging neighbors; returns null if fetching the whole volume costs no more.
    /// </summary>
    public async ValueTask<VolumeChunk?> TryReadAsync(List<ArchiveEntry> wanted, CancellationToken cancellationToken) =>
        await TryFetchAsync(wanted, cancellationToken).ConfigureAwait(false) is { } entries
            ? await entries.DecryptAsync(authenticator: null, cancellationToken).ConfigureAwait(false)
            : null;

    /// <summary>
    /// All entries in the order of the volume, in runs of about a length. No two runs share bytes.
    /// </summary>
    public List<EntryRun> Runs(int runBytes) => Directory.Runs(runBytes);

    /// <summary>
    /// Reads a run of entries with what lies between them, and authenticates the volume as far as
    /// they reach.
    /// </summary>
    public async ValueTask<VolumeChunk> ReadAsync(
        EntryRun run,
        AesCryptAuthenticator? authenticator,
        CancellationToken cancellationToken
    )
    {
        PartLayout layout = new(Directory, [.. Entries.Slice(run.First, run.Count)], requestCostBytes: long.MaxValue);
        FetchedEntries entries = await FetchAsync(layout, cancellationToken).ConfigureAwait(false);
        return await entries.DecryptAsync(authenticator, cancellationToken).ConfigureAwait(false);
    }

    public AesCryptAuthenticator? CreateAuthenticator() => ranges.CreateAuthenticator();

    /// <summary>
    /// Authenticates the rest of the volume; returns what is wrong with it, or null.
    /// </summary>
    public ValueTask<string?> VerifyAsync(AesCryptAuthenticator authenticator, CancellationToken cancellationToken) =>
        ranges.VerifyAsync(authenticator, cancellationToken);

    /// <summary>
    /// The entries of the directory as an archive that can be walked, not decoded.
    /// </summary>
    public Archive OpenDirectory() => Directory.Open(loader.Codecs);

    /// <summary>Prepares it for being kept.</summary>
    public void Own() => Directory.Own();

    public void Dispose()
    {
        ranges.Dispose();
        directory?.Dispose();
        directory = null;
    }

    private ValueTask<FetchedEntries> FetchAsync(PartLayout layout, CancellationToken cancellationToken) =>
        FetchedEntries.FetchAsync(ranges, layout, loader.Pool, Parallelism, cancellationToken);

    private async ValueTask ReadDirectoryAsync(CancellationToken cancellationToken)
    {
        using VolumeTail tail = await VolumeTail
            .ReadAsync(loader, volume, ranges, policy.TailBytes, cancellationToken)
            .ConfigureAwait(false);
        ZipDirectoryLocation location =
            ZipDirectory.Locate(tail.Text.Span, ranges.LengthBytes)
            ?? await LocateAsync(cancellationToken).ConfigureAwait(false);
        long tailOffset = ranges.LengthBytes - tail.Text.Length;
        if (location.OffsetBytes >= tailOffset)
        {
            Memory<byte> last = tail.Text.Slice((int)(location.OffsetBytes - tailOffset), (int)location.LengthBytes);
            directory = new SparseDirectory(tail.Buffer, last, location, loader.Pool);
            return;
        }

        if (location.LengthBytes > MaxDirectoryBytes)
        {
            throw new InvalidDataException($"The directory of the archive is {location.LengthBytes:N0} bytes long");
        }

        int length = (int)location.LengthBytes;
        (PooledBuffer buffer, int start) = await ranges
            .ReadAsync(location.OffsetBytes, length, cancellationToken)
            .ConfigureAwait(false);
        using PooledBuffer owned = buffer;
        directory = new SparseDirectory(buffer, buffer.Memory.Slice(start, length), location, loader.Pool);
    }

    private async ValueTask<ZipDirectoryLocation> LocateAsync(CancellationToken cancellationToken)
    {
        int length = (int)Math.Min(ranges.LengthBytes, ZipDirectory.MaxTailBytes);
        (PooledBuffer longer, int start) = await ranges
            .ReadAsync(ranges.LengthBytes - length, length, cancellationToken)
            .ConfigureAwait(false);
        using PooledBuffer owned = longer;
        return ZipDirectory.Locate(longer.Span.Slice(start, length), ranges.LengthBytes)
            ?? throw new InvalidDataException("The zip archive has no end record");
    }
}
