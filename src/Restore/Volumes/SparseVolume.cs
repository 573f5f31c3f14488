using Restore.Compression.Zip;

namespace Restore.Volumes;

/// <summary>
/// A zip volume, plain or AES, of which only the directory is in memory; entries are read by ranges. What is read is not authenticated.
/// Any damage is an <see cref="InvalidDataException"/>; the caller can read the whole volume instead.
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

    /// <summary>All entries of the directory; <see cref="NameOf"/> has their names.</summary>
    public IReadOnlyList<ArchiveEntry> Entries => Directory.Entries;

    public long MemoryBytes => Directory.MemoryBytes;

    private SparseDirectory Directory => directory ?? throw new ObjectDisposedException(nameof(SparseVolume));

    /// <exception cref="InvalidDataException">The header or the directory is damaged, or the volume is shorter than its listed size.</exception>
    /// <exception cref="PassphraseException">The passphrase does not open the volume.</exception>
    /// <exception cref="IOException">The store cannot read the volume.</exception>
    public static async ValueTask<SparseVolume> OpenAsync(VolumeLoader loader, Volume volume, RangePolicy policy, CancellationToken cancellationToken)
    {
        SparseVolume sparse = new(loader, volume, policy);
        try
        {
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

    /// <summary>Reads entries, merging neighbors; returns null if fetching the whole volume costs no more.</summary>
    public async ValueTask<OpenedPart?> TryReadAsync(IReadOnlyList<ArchiveEntry> wanted, CancellationToken cancellationToken)
    {
        PartLayout layout = new(Directory, wanted, policy.RequestCostBytes);
        return policy.IsWorth(volume.SizeBytes, layout.DataBytes, layout.Ranges.Count)
            ? await ReadAsync(layout, authenticator: null, cancellationToken).ConfigureAwait(false)
            : null;
    }

    /// <summary>All entries in the order of the volume, in runs of about a length. No two runs share bytes.</summary>
    public List<EntryRun> Runs(int runBytes) => Directory.Runs(runBytes);

    /// <summary>Reads a run of entries with what lies between them, and authenticates the volume as far as they reach.</summary>
    public ValueTask<OpenedPart> ReadAsync(EntryRun run, AesCryptAuthenticator? authenticator, CancellationToken cancellationToken) =>
        ReadAsync(new PartLayout(Directory, run.Entries, requestCostBytes: long.MaxValue), authenticator, cancellationToken);

    public AesCryptAuthenticator? CreateAuthenticator() => ranges.CreateAuthenticator();

    /// <summary>Authenticates the rest of the volume; returns what is wrong with it, or null.</summary>
    public ValueTask<string?> VerifyAsync(AesCryptAuthenticator authenticator, CancellationToken cancellationToken) =>
        ranges.VerifyAsync(authenticator, cancellationToken);

    /// <summary>The entries of the directory as an archive that can be walked, not decoded.</summary>
    public Archive OpenDirectory() => Directory.Open(loader.Codecs);

    public void Dispose()
    {
        ranges.Dispose();
        directory = null;
    }

    private async ValueTask<OpenedPart> ReadAsync(PartLayout layout, AesCryptAuthenticator? authenticator, CancellationToken cancellationToken)
    {
        RequireInMemory(layout.DataBytes + (layout.Ranges.Count * 2L * AesCryptLayout.BlockBytes) + layout.NameBytes);
        AesCryptRange[] fetched = [.. layout.Ranges.Select(range => ranges.RangeOf(range.From, (int)range.Length))];
        int[] places = new int[fetched.Length + 1];
        for (int i = 0; i < fetched.Length; i++)
        {
            places[i + 1] = places[i] + fetched[i].Length;
        }

        using PooledBuffer buffer = loader.Pool.Rent(places[^1] + (int)layout.NameBytes);
        ParallelOptions options = new() { MaxDegreeOfParallelism = Parallelism, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(Enumerable.Range(0, fetched.Length), options, FillAsync).ConfigureAwait(false);
        for (int i = 0; i < fetched.Length; i++)
        {
            if (authenticator is not null)
            {
                await ranges.AuthenticateToAsync(authenticator, fetched[i].Offset, cancellationToken).ConfigureAwait(false);
                authenticator.Append(fetched[i].Offset, buffer.Span.Slice(places[i], fetched[i].Length));
            }

            places[i] += ranges.Decrypt(fetched[i], buffer.Span.Slice(places[i], fetched[i].Length));
        }

        ArchiveEntry[] entries = layout.Place(places, places[^1], buffer.Span);
        return new OpenedPart(volume, buffer.Keep(), places[^1], entries);

        ValueTask FillAsync(int i, CancellationToken token) =>
            ranges.FillAsync(fetched[i].Offset, buffer.Memory.Slice(places[i], fetched[i].Length), token);
    }

    private async ValueTask ReadDirectoryAsync(CancellationToken cancellationToken)
    {
        using VolumeTail tail = await VolumeTail.ReadAsync(loader, volume, ranges, policy.TailBytes, cancellationToken).ConfigureAwait(false);
        ZipDirectoryLocation location = ZipDirectory.Locate(tail.Text.Span, ranges.LengthBytes)
            ?? await LocateAsync(cancellationToken).ConfigureAwait(false);
        long tailOffset = ranges.LengthBytes - tail.Text.Length;
        byte[] bytes = location.OffsetBytes >= tailOffset
            ? tail.Text.Slice((int)(location.OffsetBytes - tailOffset), (int)location.LengthBytes).ToArray()
            : await ReadAsync(location, cancellationToken).ConfigureAwait(false);
        directory = new SparseDirectory(bytes, location);
    }

    private async ValueTask<ZipDirectoryLocation> LocateAsync(CancellationToken cancellationToken)
    {
        int length = (int)Math.Min(ranges.LengthBytes, ZipDirectory.MaxTailBytes);
        (PooledBuffer longer, int start) = await ranges.ReadAsync(ranges.LengthBytes - length, length, cancellationToken).ConfigureAwait(false);
        using PooledBuffer owned = longer;
        return ZipDirectory.Locate(longer.Span.Slice(start, length), ranges.LengthBytes)
            ?? throw new InvalidDataException("The zip archive has no end record");
    }

    private async ValueTask<byte[]> ReadAsync(ZipDirectoryLocation location, CancellationToken cancellationToken)
    {
        if (location.LengthBytes > MaxDirectoryBytes)
        {
            throw new InvalidDataException($"The directory of the archive is {location.LengthBytes:N0} bytes long");
        }

        int length = (int)location.LengthBytes;
        (PooledBuffer buffer, int start) = await ranges.ReadAsync(location.OffsetBytes, length, cancellationToken).ConfigureAwait(false);
        using PooledBuffer owned = buffer;
        return buffer.Span.Slice(start, length).ToArray();
    }

    private static void RequireInMemory(long bytes)
    {
        if (bytes > Array.MaxLength)
        {
            throw new InvalidDataException(
                $"{bytes:N0} bytes of the volume are wanted; more than {Array.MaxLength:N0} cannot be held in memory at once");
        }
    }
}

/// <summary>Neighboring entries of an archive.</summary>
/// <param name="LengthBytes">From the start of the first to the end of all.</param>
internal readonly record struct EntryRun(ArraySegment<ArchiveEntry> Entries, long LengthBytes);

/// <summary>The entries in the directory of a zip archive, and where their data ends.</summary>
internal sealed class SparseDirectory
{
    private const int EntryBytes = 64;

    private readonly Memory<byte> bytes;
    private readonly List<ArchiveEntry> entries = [];
    private readonly long dataEnd;
    private readonly long[] starts;

    /// <exception cref="InvalidDataException">The directory contradicts itself.</exception>
    public SparseDirectory(Memory<byte> bytes, ZipDirectoryLocation location)
    {
        this.bytes = bytes;
        dataEnd = location.OffsetBytes;
        ZipDirectoryReader reader = new(location);
        while (reader.MoveNext(bytes.Span, out ArchiveEntry entry))
        {
            entries.Add(entry);
        }

        starts = [.. entries.Select(entry => entry.DataOffset)];
        Array.Sort(starts);
    }

    public long MemoryBytes => bytes.Length + ((long)EntryBytes * entries.Count);

    public IReadOnlyList<ArchiveEntry> Entries => entries;

    public ReadOnlySpan<byte> NameOf(in ArchiveEntry entry) => bytes.Span.Slice(entry.NameOffset, entry.NameLength);

    /// <summary>
    /// The bytes of the archive that contain an entry: up to the next entry. The length of the local header is known only after reading it, but the header
    /// has at most one extra field of 64 KiB.
    /// </summary>
    public ReadRange RangeOf(in ArchiveEntry entry)
    {
        long least = entry.DataOffset + ZipLocalHeader.FixedLengthBytes + entry.NameLength + entry.CompressedLength;
        int next = Array.BinarySearch(starts, entry.DataOffset + 1);
        next = next < 0 ? ~next : next;
        long limit = next < starts.Length && starts[next] >= least ? starts[next] : dataEnd;
        return new ReadRange(entry.DataOffset, Math.Min(limit, least + ushort.MaxValue));
    }

    /// <summary>The entries by their offset, in runs of about a length: a new one begins where one is long enough and no entry reaches beyond.</summary>
    public List<EntryRun> Runs(int runBytes)
    {
        ArchiveEntry[] ordered = [.. entries.OrderBy(entry => entry.DataOffset)];
        List<EntryRun> runs = [];
        int first = 0;
        long end = 0;
        for (int i = 0; i < ordered.Length; i++)
        {
            ReadRange range = RangeOf(ordered[i]);
            if (i > first && range.From >= end && range.To - ordered[first].DataOffset > runBytes)
            {
                Add(i);
            }

            end = Math.Max(end, range.To);
        }

        Add(ordered.Length);
        return runs;

        void Add(int next)
        {
            if (first < next)
            {
                runs.Add(new EntryRun(new ArraySegment<ArchiveEntry>(ordered, first, next - first), end - ordered[first].DataOffset));
                first = next;
            }
        }
    }

    public Archive Open(Codecs codecs) => new ZipArchiveReader(bytes, entries, 0, codecs);
}

/// <summary>The byte ranges that hold the needed entries of a volume, and the offsets of the entries when the ranges lie contiguously in a buffer.</summary>
internal sealed class PartLayout
{
    private readonly SparseDirectory directory;
    private readonly ArchiveEntry[] wanted;

    /// <summary>Plans the ranges: merges neighbors if the gap costs less than another request.</summary>
    public PartLayout(SparseDirectory directory, IEnumerable<ArchiveEntry> wanted, long requestCostBytes)
    {
        this.directory = directory;
        this.wanted = [.. wanted.OrderBy(entry => entry.DataOffset)];
        Ranges = ReadRange.Merge(this.wanted.Select(entry => directory.RangeOf(entry)), requestCostBytes);
        DataBytes = Ranges.Sum(range => range.Length);
        NameBytes = this.wanted.Sum(entry => (long)entry.NameLength);
    }

    /// <summary>The ranges to read, in the order of their offsets in the volume.</summary>
    public IReadOnlyList<ReadRange> Ranges { get; }

    public long DataBytes { get; }

    public long NameBytes { get; }

    /// <summary>Finds the offset of each entry in a buffer that has the ranges, and writes the names after the data.</summary>
    public ArchiveEntry[] Place(ReadOnlySpan<int> places, int dataLength, Span<byte> buffer)
    {
        ArchiveEntry[] placed = [.. wanted];
        int range = 0;
        int name = dataLength;
        for (int i = 0; i < placed.Length; i++)
        {
            while (placed[i].DataOffset >= Ranges[range].To)
            {
                range++;
            }

            directory.NameOf(placed[i]).CopyTo(buffer[name..]);
            placed[i] = placed[i] with { NameOffset = name, DataOffset = places[range] + placed[i].DataOffset - Ranges[range].From };
            name += placed[i].NameLength;
        }

        return placed;
    }
}
