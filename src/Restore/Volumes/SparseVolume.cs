using Restore.Compression;
using Restore.Compression.Zip;
using Restore.Encryption;
using Restore.Memory;
using Restore.Volumes.Sparse;

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

    /// <summary>About how much memory the directory takes.</summary>
    public long MemoryBytes => Directory.MemoryBytes;

    private SparseDirectory Directory => directory ?? throw new ObjectDisposedException(nameof(SparseVolume));

    /// <summary>Reads the directory, and the header of an AES volume.</summary>
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

    /// <summary>The name of an entry.</summary>
    public ReadOnlySpan<byte> NameOf(in ArchiveEntry entry) => Directory.NameOf(entry);

    /// <summary>Reads entries, merging neighbors; returns null if fetching the whole volume costs no more.</summary>
    public async ValueTask<OpenedPart?> TryReadAsync(IReadOnlyList<ArchiveEntry> wanted, CancellationToken cancellationToken)
    {
        PartLayout layout = new(Directory, wanted, policy.RequestCostBytes);
        return policy.IsWorth(volume.SizeBytes, layout.DataBytes, layout.Ranges.Count)
            ? await ReadAsync(layout, cancellationToken).ConfigureAwait(false)
            : null;
    }

    /// <summary>The entries of the directory as an archive that can be walked, not decoded.</summary>
    public Archive OpenDirectory() => Directory.Open(loader.Codecs);

    public void Dispose()
    {
        ranges.Dispose();
        directory = null;
    }

    private async ValueTask<OpenedPart> ReadAsync(PartLayout layout, CancellationToken cancellationToken)
    {
        RequireInMemory(layout.DataBytes + (layout.Ranges.Count * 2L * AesCryptLayout.BlockBytes) + layout.NameBytes);
        AesCryptRange[] fetched = [.. layout.Ranges.Select(range => ranges.RangeOf(range.From, (int)range.Length))];
        int[] places = new int[fetched.Length + 1];
        for (int i = 0; i < fetched.Length; i++)
        {
            places[i + 1] = places[i] + fetched[i].Length;
        }

        PooledBuffer buffer = loader.Pool.Rent(places[^1] + (int)layout.NameBytes);
        try
        {
            ParallelOptions options = new() { MaxDegreeOfParallelism = Parallelism, CancellationToken = cancellationToken };
            await Parallel.ForEachAsync(Enumerable.Range(0, fetched.Length), options, FillAsync).ConfigureAwait(false);
            for (int i = 0; i < fetched.Length; i++)
            {
                places[i] += ranges.Decrypt(fetched[i], buffer.Span.Slice(places[i], fetched[i].Length));
            }

            return new OpenedPart(volume, buffer, places[^1], layout.Place(places, places[^1], buffer.Span));
        }
        catch
        {
            buffer.Dispose();
            throw;
        }

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

    /// <summary>Searches the longest possible tail for the end record.</summary>
    private async ValueTask<ZipDirectoryLocation> LocateAsync(CancellationToken cancellationToken)
    {
        int length = (int)Math.Min(ranges.LengthBytes, ZipDirectory.MaxTailBytes);
        (PooledBuffer longer, int start) = await ranges.ReadAsync(ranges.LengthBytes - length, length, cancellationToken).ConfigureAwait(false);
        using PooledBuffer owned = longer;
        return ZipDirectory.Locate(longer.Span.Slice(start, length), ranges.LengthBytes)
            ?? throw new InvalidDataException("The zip archive has no end record");
    }

    /// <summary>Reads a directory that is longer than the tail.</summary>
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
