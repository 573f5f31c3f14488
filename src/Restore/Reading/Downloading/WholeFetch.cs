using Restore.Memory;
using Restore.Volumes;

namespace Restore.Reading.Downloading;

/// <summary>Fetches whole volumes; a large one from a remote store in concurrent pieces.</summary>
internal sealed class WholeFetch(VolumeLoader loader, RangePolicy ranges, Transfers transfers)
{
    /// <summary>Fetches a volume, as far as the store has it.</summary>
    /// <exception cref="IOException">The store cannot read the volume, or it is too large for memory.</exception>
    /// <exception cref="InvalidDataException">The volume is empty.</exception>
    public async ValueTask<WholeVolume> FetchAsync(Volume volume, CancellationToken cancellationToken)
    {
        VolumeLoader.RequireSize(volume);
        IReadOnlyList<ReadRange> pieces = ranges.PiecesOf(volume, loader.Store.HasRanges);
        PooledBuffer buffer = pieces.Count == 1
            ? await transfers.RunAsync(token => loader.FetchAsync(volume, token), fetched => fetched.Length, cancellationToken).ConfigureAwait(false)
            : await new PieceFetch(loader, volume, transfers).FetchAsync(pieces, cancellationToken).ConfigureAwait(false);
        return new WholeVolume(volume, buffer);
    }
}
