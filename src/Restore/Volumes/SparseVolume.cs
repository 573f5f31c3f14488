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
    /// Reads entries, merging neighbors; returns null if fetching the whole volume costs no more.
    /// </summary>
    public async ValueTask<OpenedPart?> TryReadAsync(List<ArchiveEntry> wanted, CancellationToken cancellationToken)
    {
        PartLayout layout = new(Directory, [.. wanted], policy.RequestCostBytes);
        return policy.IsWorth(volume.SizeBytes, layout.DataBytes, layout.Ranges.Count)
            ? await ReadAsync(layout, authenticator: null, cancellationToken).ConfigureAwait(false)
            : null;
    }

    /// <summary>
    /// All entries in the order of the volume, in runs of about a length. No two runs share bytes.
    /// </summary>
    public List<EntryRun> Runs(int runBytes) => Directory.Runs(runBytes);

    /// <summary>
    /// Reads a run of entries with what lies between them, and authenticates the volume as far as
    /// they reach.
    /// </summary>
    public ValueTask<OpenedPart> ReadAsync(
        EntryRun run,
        AesCryptAuthenticator? authenticator,
        CancellationToken cancellationToken
    ) =>
        ReadAsync(
            new PartLayout(Directory, [.. Entries.Slice(run.First, run.Count)], requestCostBytes: long.MaxValue),
            authenticator,
            cancellationToken
        );

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

    private async ValueTask<OpenedPart> ReadAsync(
        PartLayout layout,
        AesCryptAuthenticator? authenticator,
        CancellationToken cancellationToken
    )
    {
        RequireInMemory(layout.DataBytes + (layout.Ranges.Count * 2L * AesCryptLayout.BlockBytes) + layout.NameBytes);
        AesCryptRange[] fetched = [.. layout.Ranges.Select(range => ranges.RangeOf(range.From, (int)range.Length))];
        int[] places = new int[fetched.Length + 1];
        for (int i = 0; i < fetched.Length; i++)
        {
            places[i + 1] = places[i] + fetched[i].Length;
        }

        using PooledBuffer buffer = loader.Pool.Rent(places[^1] + (int)layout.NameBytes);
        if (fetched.Length == 1)
        {
            await FillAsync(0, cancellationToken).ConfigureAwait(false);
        }
        else
        {
            ParallelOptions options = new()
            {
                MaxDegreeOfParallelism = Parallelism,
                CancellationToken = cancellationToken,
            };
            await Parallel.ForEachAsync(Enumerable.Range(0, fetched.Length), options, FillAsync).ConfigureAwait(false);
        }

        for (int i = 0; i < fetched.Length; i++)
        {
            if (authenticator is not null)
            {
                await ranges
                    .AuthenticateToAsync(authenticator, fetched[i].Offset, cancellationToken)
                    .ConfigureAwait(false);
                authenticator.Append(fetched[i].Offset, buffer.Span.Slice(places[i], fetched[i].Length));
            }

            places[i] += await ranges
                .DecryptAsync(fetched[i], buffer.Memory.Slice(places[i], fetched[i].Length))
                .ConfigureAwait(false);
        }

        layout.Place(places, places[^1], buffer.Span);
        return new OpenedPart(volume, buffer.Keep(), places[^1], layout.Entries);

        ValueTask FillAsync(int i, CancellationToken token) =>
            ranges.FillAsync(fetched[i].Offset, buffer.OwnedMemory.Slice(places[i], fetched[i].Length), token);
    }

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

    private static void RequireInMemory(long bytes)
    {
        if (bytes > Array.MaxLength)
        {
            throw new InvalidDataException(
                $"{bytes:N0} bytes of the volume are wanted; more than {Array.MaxLength:N0} cannot be held in memory at once"
            );
        }
    }
}

/// <summary>Neighboring entries of a directory.</summary>
/// <param name="LengthBytes">From the start of the first to the end of all.</param>
internal readonly record struct EntryRun(int First, int Count, long LengthBytes);
