using Restore.Compression.Zip;

namespace Restore.Volumes;

/// <summary>
/// Entries of a zip volume in memory as the store has them: the ranges of the volume that hold
/// them, one after another in a buffer, with room for their names.
/// </summary>
internal sealed class FetchedEntries
{
    private readonly PlainRanges source;
    private readonly PartLayout layout;
    private readonly AesCryptRange[] ranges;
    private readonly int[] places;

    private FetchedEntries(
        PlainRanges source,
        PartLayout layout,
        AesCryptRange[] ranges,
        int[] places,
        PooledBuffer buffer
    )
    {
        (this.source, this.layout, this.ranges, this.places) = (source, layout, ranges, places);
        Buffer = buffer;
    }

    /// <summary>The owner of this object owns one use of it.</summary>
    public PooledBuffer Buffer { get; }

    /// <summary>Fetches the ranges of a layout.</summary>
    /// <param name="parallelism">How many requests run at the same time.</param>
    /// <exception cref="InvalidDataException">The entries do not fit into memory, or the volume is
    /// shorter than its listed size.</exception>
    public static async ValueTask<FetchedEntries> FetchAsync(
        PlainRanges source,
        PartLayout layout,
        BufferPool pool,
        int parallelism,
        CancellationToken cancellationToken
    )
    {
        RequireInMemory(layout.DataBytes + (layout.Ranges.Count * 2L * AesCryptLayout.BlockBytes) + layout.NameBytes);
        AesCryptRange[] ranges = [.. layout.Ranges.Select(range => source.RangeOf(range.From, (int)range.Length))];
        int[] places = new int[ranges.Length + 1];
        for (int i = 0; i < ranges.Length; i++)
        {
            places[i + 1] = places[i] + ranges[i].Length;
        }

        using PooledBuffer buffer = pool.Rent(places[^1] + (int)layout.NameBytes);
        if (ranges.Length == 1)
        {
            await FillAsync(0, cancellationToken).ConfigureAwait(false);
        }
        else
        {
            ParallelOptions options = new()
            {
                MaxDegreeOfParallelism = parallelism,
                CancellationToken = cancellationToken,
            };
            await Parallel.ForEachAsync(Enumerable.Range(0, ranges.Length), options, FillAsync).ConfigureAwait(false);
        }

        return new FetchedEntries(source, layout, ranges, places, buffer.Keep());

        ValueTask FillAsync(int i, CancellationToken token) =>
            source.FillAsync(ranges[i].Offset, buffer.OwnedMemory.Slice(places[i], ranges[i].Length), token);
    }

    /// <summary>
    /// Decrypts the entries in place, each range after its authentication. The chunk takes over the
    /// buffer, which is disposed on failure.
    /// </summary>
    /// <param name="authenticator">Authenticates the volume as far as the entries reach; null if
    /// only some entries of it are read.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<VolumeChunk> DecryptAsync(
        AesCryptAuthenticator? authenticator,
        CancellationToken cancellationToken
    )
    {
        using PooledBuffer buffer = Buffer;
        int dataLength = places[^1];
        for (int i = 0; i < ranges.Length; i++)
        {
            if (authenticator is not null)
            {
                await source
                    .AuthenticateToAsync(authenticator, ranges[i].Offset, cancellationToken)
                    .ConfigureAwait(false);
                authenticator.Append(ranges[i].Offset, buffer.Span.Slice(places[i], ranges[i].Length));
            }

            places[i] += await source
                .DecryptAsync(ranges[i], buffer.Memory.Slice(places[i], ranges[i].Length))
                .ConfigureAwait(false);
        }

        layout.Place(places, dataLength, buffer.Span);
        PooledBuffer kept = buffer.Keep();
        return new VolumeChunk(
            kept,
            kept.Length,
            codecs => new ZipArchiveReader(kept.Memory, layout.Entries, dataLength, codecs)
        );
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
