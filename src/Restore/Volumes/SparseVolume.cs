using Restore.Compression;
using Restore.Compression.Zip;
using Restore.Encryption;
using Restore.Format;
using Restore.Memory;

namespace Restore.Volumes;

/// <summary>
/// A zip volume, plain or AES, of which only the directory is in memory and entries are read by ranges. Nothing authenticates what is read.
/// Whatever is not as it should be is an <see cref="InvalidDataException"/>, and whoever gets it can read the whole volume.
/// </summary>
internal sealed class SparseVolume : IDisposable
{
    /// <summary>Read from the start of an AES volume. Duplicati's headers have about 300 bytes; what is longer is read whole.</summary>
    public const int HeaderBytes = 2 << 10;

    // Requests for parts of one volume at a time: they wait for latency, not for bytes.
    private const int Parallelism = 4;

    private readonly VolumeLoader loader;
    private readonly Volume volume;
    private readonly RangePolicy policy;
    private readonly List<ArchiveEntry> entries = [];
    private AesCryptSession? session;
    private PooledBuffer? directoryOwner;
    private Memory<byte> directory;
    private long dataEnd;
    private long[] starts = [];

    private SparseVolume(VolumeLoader loader, Volume volume, RangePolicy policy)
    {
        this.loader = loader;
        this.volume = volume;
        this.policy = policy;
    }

    /// <summary>All entries of the directory; their names are <see cref="NameOf"/>.</summary>
    public IReadOnlyList<ArchiveEntry> Entries => entries;

    /// <summary>Reads the directory, and the header of an AES volume.</summary>
    /// <exception cref="InvalidDataException">The header or the directory is damaged, or the volume is shorter than listed.</exception>
    /// <exception cref="PassphraseException">The passphrase does not open the volume.</exception>
    /// <exception cref="IOException">The store cannot read it.</exception>
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

    public ReadOnlySpan<byte> NameOf(in ArchiveEntry entry) => directory.Span.Slice(entry.NameOffset, entry.NameLength);

    /// <summary>Reads entries, neighbours together; null when the whole volume is no dearer.</summary>
    public async ValueTask<VolumePart?> TryReadAsync(IReadOnlyList<ArchiveEntry> wanted, CancellationToken cancellationToken)
    {
        List<ByteRun> runs = ByteRun.Merge(
            wanted.OrderBy(entry => entry.DataOffset).Select(entry => new ByteRun(entry.DataOffset, EndOf(entry))), policy.RequestCostBytes);
        return policy.IsWorth(volume.SizeBytes, runs.Sum(run => run.Length), runs.Count)
            ? await ReadAsync(wanted, runs, cancellationToken).ConfigureAwait(false)
            : null;
    }

    /// <summary>The entries of the directory as an archive that can be walked, not decoded.</summary>
    public Archive OpenDirectory() => new ZipArchiveReader(directory, entries, 0, loader.Codecs);

    public void Dispose()
    {
        session?.Dispose();
        directoryOwner?.Dispose();
        directoryOwner = null;
    }

    private async ValueTask<VolumePart> ReadAsync(IReadOnlyList<ArchiveEntry> wanted, List<ByteRun> runs, CancellationToken cancellationToken)
    {
        RequireInMemory(runs.Sum(run => run.Length + (2 * AesCryptLayout.BlockBytes)) + wanted.Sum(entry => entry.NameLength));
        AesCryptRange[] ranges = [.. runs.Select(run => RangeOf(run.From, (int)run.Length))];
        int[] places = new int[ranges.Length + 1];
        for (int i = 0; i < ranges.Length; i++)
        {
            places[i + 1] = places[i] + ranges[i].Length;
        }

        PooledBuffer buffer = loader.Pool.Rent(places[^1] + wanted.Sum(entry => entry.NameLength));
        try
        {
            ParallelOptions options = new() { MaxDegreeOfParallelism = Parallelism, CancellationToken = cancellationToken };
            await Parallel.ForEachAsync(Enumerable.Range(0, ranges.Length), options, async (i, token) =>
                await FillAsync(ranges[i].Offset, buffer.Memory.Slice(places[i], ranges[i].Length), token).ConfigureAwait(false)).ConfigureAwait(false);
            for (int i = 0; i < ranges.Length; i++)
            {
                places[i] += Decrypt(ranges[i], buffer.Span.Slice(places[i], ranges[i].Length));
            }

            return new VolumePart(buffer, places[^1], Place(wanted, runs, places, buffer));
        }
        catch
        {
            buffer.Dispose();
            throw;
        }
    }

    /// <summary>Finds each entry's place in the buffer, and puts the names behind the data.</summary>
    private ArchiveEntry[] Place(IReadOnlyList<ArchiveEntry> wanted, List<ByteRun> runs, int[] places, PooledBuffer buffer)
    {
        ArchiveEntry[] placed = [.. wanted.OrderBy(entry => entry.DataOffset)];
        int run = 0;
        int name = places[^1];
        for (int i = 0; i < placed.Length; i++)
        {
            while (placed[i].DataOffset >= runs[run].To)
            {
                run++;
            }

            NameOf(placed[i]).CopyTo(buffer.Span[name..]);
            placed[i] = placed[i] with { NameOffset = name, DataOffset = places[run] + placed[i].DataOffset - runs[run].From };
            name += placed[i].NameLength;
        }

        return placed;
    }

    /// <summary>
    /// An entry ends where the next begins. How long its local header is shows only there, but it cannot have more than one extra field of 64 KiB.
    /// </summary>
    private long EndOf(in ArchiveEntry entry)
    {
        long least = entry.DataOffset + ZipLocalHeader.FixedLengthBytes + entry.NameLength + entry.CompressedLength;
        int next = Array.BinarySearch(starts, entry.DataOffset + 1);
        next = next < 0 ? ~next : next;
        long limit = next < starts.Length && starts[next] >= least ? starts[next] : dataEnd;
        return Math.Min(limit, least + ushort.MaxValue);
    }

    private async ValueTask ReadDirectoryAsync(CancellationToken cancellationToken)
    {
        directoryOwner = loader.Pool.Rent((int)Math.Min(policy.TailBytes, volume.SizeBytes));
        Task readTail = FillAsync(volume.SizeBytes - directoryOwner.Length, directoryOwner.Memory, cancellationToken).AsTask();
        if (volume.Name.Encryption == EncryptionKind.None)
        {
            await readTail.ConfigureAwait(false);
        }
        else
        {
            using PooledBuffer header = loader.Pool.Rent((int)Math.Min(HeaderBytes, volume.SizeBytes));
            await Task.WhenAll(readTail, FillAsync(0, header.Memory, cancellationToken).AsTask()).ConfigureAwait(false);
            session = loader.OpenSession(header.Span);
        }

        (Memory<byte> tail, long plainBytes) = session is null ? (directoryOwner.Memory, volume.SizeBytes) : DecryptTail(session, directoryOwner.Memory);
        ZipDirectoryLocation location = ZipDirectory.Locate(tail.Span, plainBytes) ?? await LocateAsync(plainBytes, cancellationToken).ConfigureAwait(false);
        dataEnd = location.OffsetBytes;
        long tailOffset = plainBytes - tail.Length;
        directory = location.OffsetBytes >= tailOffset
            ? tail.Slice((int)(location.OffsetBytes - tailOffset), (int)location.LengthBytes)
            : await ReplaceAsync(location.OffsetBytes, location.LengthBytes, cancellationToken).ConfigureAwait(false);
        ReadEntries(location);
    }

    /// <summary>Looks in the longest tail that an end record can have.</summary>
    private async ValueTask<ZipDirectoryLocation> LocateAsync(long plainBytes, CancellationToken cancellationToken)
    {
        long length = Math.Min(plainBytes, ZipDirectory.MaxTailBytes);
        AesCryptRange range = RangeOf(plainBytes - length, (int)length);
        using PooledBuffer longer = loader.Pool.Rent(range.Length);
        await FillAsync(range.Offset, longer.Memory, cancellationToken).ConfigureAwait(false);
        int start = Decrypt(range, longer.Span);
        return ZipDirectory.Locate(longer.Span.Slice(start, (int)length), plainBytes) ?? throw new InvalidDataException("The zip archive has no end record");
    }

    /// <summary>Reads a directory that is longer than the tail, into a buffer in the tail's place.</summary>
    private async ValueTask<Memory<byte>> ReplaceAsync(long offset, long length, CancellationToken cancellationToken)
    {
        directoryOwner!.Dispose();
        directoryOwner = null;
        RequireInMemory(length + (2 * AesCryptLayout.BlockBytes));
        AesCryptRange range = RangeOf(offset, (int)length);
        directoryOwner = loader.Pool.Rent(range.Length);
        await FillAsync(range.Offset, directoryOwner.Memory, cancellationToken).ConfigureAwait(false);
        return directoryOwner.Memory.Slice(Decrypt(range, directoryOwner.Span), (int)length);
    }

    private void ReadEntries(ZipDirectoryLocation location)
    {
        ZipDirectoryReader reader = new(location);
        while (reader.MoveNext(directory.Span, out ArchiveEntry entry))
        {
            entries.Add(entry);
        }

        starts = [.. entries.Select(entry => entry.DataOffset)];
        Array.Sort(starts);
    }

    /// <summary>Decrypts the tail from the first block on that has the block before it, and works out the length of the plain archive.</summary>
    private (Memory<byte> Text, long PlainBytes) DecryptTail(AesCryptSession opened, Memory<byte> tail)
    {
        AesCryptHeader header = opened.Header;
        AesCryptLayout layout = header.LayoutOf(volume.SizeBytes);
        long tailOffset = volume.SizeBytes - tail.Length - layout.BodyOffset;
        long blocksBefore = (tailOffset + AesCryptLayout.BlockBytes - 1) / AesCryptLayout.BlockBytes;
        long first = tailOffset <= 0 ? 0 : (blocksBefore + 1) * AesCryptLayout.BlockBytes;
        if (!layout.IsWhole || first >= layout.BodyBytes)
        {
            throw new InvalidDataException($"The volume was cut or something was added to it: an AES Crypt stream cannot be {volume.SizeBytes} bytes long");
        }

        byte lastBlockBytes = header.HasLengthByteAtEnd ? tail.Span[^(AesCryptHeader.HmacBytes + 1)] : header.LastBlockBytes;
        int start = (int)(first - tailOffset);
        Memory<byte> blocks = tail.Slice(start, (int)(layout.BodyBytes - first));
        ReadOnlySpan<byte> previous = first == 0 ? [] : tail.Span.Slice(start - AesCryptLayout.BlockBytes, AesCryptLayout.BlockBytes);
        opened.DecryptRange(blocks.Span, previous);
        return opened.TryGetPlainLength(layout, lastBlockBytes, blocks.Span[^AesCryptLayout.BlockBytes..], out long plainBytes)
            ? (blocks[..^(int)(layout.BodyBytes - plainBytes)], plainBytes)
            : throw new InvalidDataException("The volume's padding makes no sense: its length was damaged");
    }

    private AesCryptRange RangeOf(long plainOffset, int plainLength) =>
        session?.RangeOf(plainOffset, plainLength) ?? new AesCryptRange(plainOffset, plainLength, StartsWithPrevious: false, 0, plainLength);

    /// <summary>Decrypts in place what was read for a range.</summary>
    /// <returns>Where in it the plain text starts.</returns>
    private int Decrypt(in AesCryptRange range, Span<byte> fetched)
    {
        if (session is not null)
        {
            session.Decrypt(range, fetched);
        }

        return (range.StartsWithPrevious ? AesCryptLayout.BlockBytes : 0) + range.Skip;
    }

    private async ValueTask FillAsync(long offset, Memory<byte> destination, CancellationToken cancellationToken)
    {
        int read = await loader.Store.ReadAsync(volume.FileName, offset, destination, cancellationToken).ConfigureAwait(false);
        if (read < destination.Length)
        {
            throw new InvalidDataException($"The volume ended after {offset + read:N0} of {volume.SizeBytes:N0} bytes");
        }
    }

    private static void RequireInMemory(long bytes)
    {
        if (bytes > Array.MaxLength)
        {
            throw new InvalidDataException($"{bytes:N0} bytes of the volume are wanted; more than {Array.MaxLength:N0} cannot be held in memory at once");
        }
    }
}
