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

    /// <summary>All entries of the directory by their offset; <see cref="NameOf"/> has their names.</summary>
    public ReadOnlySpan<ArchiveEntry> Entries => Directory.Entries;

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

    /// <summary>Reads entries, merging neighbors; returns null if fetching the whole volume costs no more.</summary>
    public async ValueTask<OpenedPart?> TryReadAsync(List<ArchiveEntry> wanted, CancellationToken cancellationToken)
    {
        PartLayout layout = new(Directory, [.. wanted], policy.RequestCostBytes);
        return policy.IsWorth(volume.SizeBytes, layout.DataBytes, layout.Ranges.Count)
            ? await ReadAsync(layout, authenticator: null, cancellationToken).ConfigureAwait(false)
            : null;
    }

    /// <summary>All entries in the order of the volume, in runs of about a length. No two runs share bytes.</summary>
    public List<EntryRun> Runs(int runBytes) => Directory.Runs(runBytes);

    /// <summary>Reads a run of entries with what lies between them, and authenticates the volume as far as they reach.</summary>
    public ValueTask<OpenedPart> ReadAsync(EntryRun run, AesCryptAuthenticator? authenticator, CancellationToken cancellationToken) =>
        ReadAsync(new PartLayout(Directory, [.. Entries.Slice(run.First, run.Count)], requestCostBytes: long.MaxValue), authenticator, cancellationToken);

    public AesCryptAuthenticator? CreateAuthenticator() => ranges.CreateAuthenticator();

    /// <summary>Authenticates the rest of the volume; returns what is wrong with it, or null.</summary>
    public ValueTask<string?> VerifyAsync(AesCryptAuthenticator authenticator, CancellationToken cancellationToken) =>
        ranges.VerifyAsync(authenticator, cancellationToken);

    /// <summary>The entries of the directory as an archive that can be walked, not decoded.</summary>
    public Archive OpenDirectory() => Directory.Open(loader.Codecs);

    /// <summary>Prepares it for being kept.</summary>
    public void Own() => Directory.Own();

    public void Dispose()
    {
        ranges.Dispose();
        directory?.Dispose();
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
        if (fetched.Length == 1)
        {
            await FillAsync(0, cancellationToken).ConfigureAwait(false);
        }
        else
        {
            ParallelOptions options = new() { MaxDegreeOfParallelism = Parallelism, CancellationToken = cancellationToken };
            await Parallel.ForEachAsync(Enumerable.Range(0, fetched.Length), options, FillAsync).ConfigureAwait(false);
        }

        for (int i = 0; i < fetched.Length; i++)
        {
            if (authenticator is not null)
            {
                await ranges.AuthenticateToAsync(authenticator, fetched[i].Offset, cancellationToken).ConfigureAwait(false);
                authenticator.Append(fetched[i].Offset, buffer.Span.Slice(places[i], fetched[i].Length));
            }

            places[i] += await ranges.DecryptAsync(fetched[i], buffer.Memory.Slice(places[i], fetched[i].Length)).ConfigureAwait(false);
        }

        layout.Place(places, places[^1], buffer.Span);
        return new OpenedPart(volume, buffer.Keep(), places[^1], layout.Entries);

        ValueTask FillAsync(int i, CancellationToken token) =>
            ranges.FillAsync(fetched[i].Offset, buffer.OwnedMemory.Slice(places[i], fetched[i].Length), token);
    }

    private async ValueTask ReadDirectoryAsync(CancellationToken cancellationToken)
    {
        using VolumeTail tail = await VolumeTail.ReadAsync(loader, volume, ranges, policy.TailBytes, cancellationToken).ConfigureAwait(false);
        ZipDirectoryLocation location = ZipDirectory.Locate(tail.Text.Span, ranges.LengthBytes)
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
        (PooledBuffer buffer, int start) = await ranges.ReadAsync(location.OffsetBytes, length, cancellationToken).ConfigureAwait(false);
        using PooledBuffer owned = buffer;
        directory = new SparseDirectory(buffer, buffer.Memory.Slice(start, length), location, loader.Pool);
    }

    private async ValueTask<ZipDirectoryLocation> LocateAsync(CancellationToken cancellationToken)
    {
        int length = (int)Math.Min(ranges.LengthBytes, ZipDirectory.MaxTailBytes);
        (PooledBuffer longer, int start) = await ranges.ReadAsync(ranges.LengthBytes - length, length, cancellationToken).ConfigureAwait(false);
        using PooledBuffer owned = longer;
        return ZipDirectory.Locate(longer.Span.Slice(start, length), ranges.LengthBytes)
            ?? throw new InvalidDataException("The zip archive has no end record");
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

/// <summary>Neighboring entries of a directory.</summary>
/// <param name="LengthBytes">From the start of the first to the end of all.</param>
internal readonly record struct EntryRun(int First, int Count, long LengthBytes);

/// <summary>The entries in the directory of a zip archive with their names, and where their data ends, in pooled memory: a volume of tiny files has some MiB
/// of them.</summary>
internal sealed class SparseDirectory : IDisposable
{
    // An array of as many is no large object, which would stay until the next full collection.
    private const int MostInRun = 2000;

    private readonly long dataEnd;
    private (PooledBuffer Names, PooledBuffer Rows)? buffers;
    private Memory<byte> names;
    private Memory<byte> rows;

    /// <param name="buffer">Gets one more user until the directory is disposed; it is shortened to the names.</param>
    /// <param name="bytes">The directory, in the buffer.</param>
    /// <exception cref="InvalidDataException">The directory contradicts itself.</exception>
    public SparseDirectory(PooledBuffer buffer, Memory<byte> bytes, ZipDirectoryLocation location, BufferPool pool)
    {
        dataEnd = location.OffsetBytes;

        // The reader refuses a directory that is too short for the number of its entries.
        int count = (int)Math.Min(location.EntryCount, bytes.Length / ZipDirectoryReader.MinEntryLengthBytes);
        using PooledBuffer room = pool.Rent(count * Unsafe.SizeOf<ArchiveEntry>());
        Span<ArchiveEntry> entries = MemoryMarshal.Cast<byte, ArchiveEntry>(room.Span);
        ZipDirectoryReader reader = new(location);
        int namesLength = 0;
        for (int i = 0; reader.MoveNext(bytes.Span, out ArchiveEntry entry); i++)
        {
            // A name is half of what the directory has of an entry, and nothing else is needed once that is read.
            bytes.Span.Slice(entry.NameOffset, entry.NameLength).CopyTo(buffer.Span[namesLength..]);
            entries[i] = entry with { NameOffset = namesLength };
            namesLength += entry.NameLength;
        }

        Sort(entries);
        buffer.Trim(namesLength);
        names = buffer.Memory;
        rows = room.Memory;
        buffers = (buffer.Keep(), room.Keep());
    }

    public long MemoryBytes => names.Length + rows.Length;

    /// <summary>By their offset.</summary>
    public ReadOnlySpan<ArchiveEntry> Entries => MemoryMarshal.Cast<byte, ArchiveEntry>(rows.Span);

    public ReadOnlySpan<byte> NameOf(in ArchiveEntry entry) => names.Span.Slice(entry.NameOffset, entry.NameLength);

    /// <summary>Sorts entries by their offset, as they almost always are.</summary>
    public static void Sort(Span<ArchiveEntry> entries)
    {
        for (int i = 1; i < entries.Length; i++)
        {
            if (entries[i].DataOffset < entries[i - 1].DataOffset)
            {
                entries.Sort((a, b) => (a.DataOffset, a.NameOffset).CompareTo((b.DataOffset, b.NameOffset)));
                return;
            }
        }
    }

    /// <summary>Gives the buffers of a small directory back, which have more room than that, and has copies instead.</summary>
    public void Own()
    {
        if (names.Length < BufferPool.LargeBytes)
        {
            (names, rows) = (names.ToArray(), rows.ToArray());
            Dispose();
        }
    }

    /// <summary>
    /// The bytes of the archive that contain an entry: up to the next entry. The length of the local header is known only after reading it, but the header
    /// has at most one extra field of 64 KiB.
    /// </summary>
    public ReadRange RangeOf(in ArchiveEntry entry)
    {
        ReadOnlySpan<ArchiveEntry> entries = Entries;
        int next = 0;
        for (int end = entries.Length; next < end;)
        {
            int middle = (next + end) / 2;
            (next, end) = entries[middle].DataOffset <= entry.DataOffset ? (middle + 1, end) : (next, middle);
        }

        long least = entry.DataOffset + ZipLocalHeader.FixedLengthBytes + entry.NameLength + entry.CompressedLength;
        long limit = next < entries.Length && entries[next].DataOffset >= least ? entries[next].DataOffset : dataEnd;
        return new ReadRange(entry.DataOffset, Math.Min(limit, least + ushort.MaxValue));
    }

    /// <summary>
    /// The entries by their offset, in runs of about a length: a new one begins where one is long enough and no entry reaches beyond. Only a run of one entry
    /// is longer than one and a half times that.
    /// </summary>
    public List<EntryRun> Runs(int runBytes)
    {
        ReadOnlySpan<ArchiveEntry> entries = Entries;
        List<EntryRun> runs = [];
        int first = 0;
        long end = 0;
        for (int i = 0; i < entries.Length; i++)
        {
            ReadRange range = RangeOf(entries[i]);
            long from = entries[first].DataOffset;
            if (i > first && range.From >= end && (IsEnough(end - from, range.To - from, runBytes) || i - first >= MostInRun))
            {
                runs.Add(new EntryRun(first, i - first, end - entries[first].DataOffset));
                first = i;
            }

            end = Math.Max(end, range.To);
        }

        if (first < entries.Length)
        {
            runs.Add(new EntryRun(first, entries.Length - first, end - entries[first].DataOffset));
        }

        return runs;
    }

    /// <summary>Whether a run ends before the next entry. One of less than half of the length takes it along if that is not long: each run costs a message.
    /// </summary>
    private static bool IsEnough(long lengthBytes, long withNextBytes, int runBytes) =>
        withNextBytes > (lengthBytes < runBytes / 2 ? runBytes / 2 * 3 : runBytes);

    public Archive Open(Codecs codecs) => new ZipArchiveReader(names, Entries.ToArray(), 0, codecs);

    public void Dispose()
    {
        buffers?.Names.Dispose();
        buffers?.Rows.Dispose();
        buffers = null;
    }
}

/// <summary>The byte ranges that hold the needed entries of a volume, and the offsets of the entries when the ranges lie contiguously in a buffer.</summary>
internal sealed class PartLayout
{
    private readonly SparseDirectory directory;
    private readonly ArchiveEntry[] entries;

    /// <summary>Plans the ranges: merges neighbors if the gap costs less than another request.</summary>
    /// <param name="entries">The wanted entries, which become those of the layout.</param>
    public PartLayout(SparseDirectory directory, ArchiveEntry[] entries, long requestCostBytes)
    {
        this.directory = directory;
        this.entries = entries;
        SparseDirectory.Sort(entries);
        Ranges = ReadRange.Merge(entries.Select(entry => directory.RangeOf(entry)), requestCostBytes);
        DataBytes = Ranges.Sum(range => range.Length);
        NameBytes = entries.Sum(entry => (long)entry.NameLength);
    }

    /// <summary>The ranges to read, in the order of their offsets in the volume.</summary>
    public IReadOnlyList<ReadRange> Ranges { get; }

    /// <summary>The entries; once they are placed, as they lie in the buffer.</summary>
    public IReadOnlyList<ArchiveEntry> Entries => entries;

    public long DataBytes { get; }

    public long NameBytes { get; }

    /// <summary>Finds the offset of each entry in a buffer that has the ranges, and writes the names after the data.</summary>
    public void Place(ReadOnlySpan<int> places, int dataLength, Span<byte> buffer)
    {
        int range = 0;
        int name = dataLength;
        foreach (ref ArchiveEntry entry in entries.AsSpan())
        {
            while (entry.DataOffset >= Ranges[range].To)
            {
                range++;
            }

            directory.NameOf(entry).CopyTo(buffer[name..]);
            entry = entry with { NameOffset = name, DataOffset = places[range] + entry.DataOffset - Ranges[range].From };
            name += entry.NameLength;
        }
    }
}
