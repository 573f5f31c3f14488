using Restore.Catalog;
using Restore.Compression;
using Restore.Format;
using Restore.Volumes;

namespace Restore.Reading.Downloading;

/// <summary>Fetches only the needed entries of a volume, if that costs less than the whole volume.</summary>
internal sealed class PartFetch(VolumeLoader loader, FetchList list, RangePolicy ranges, Transfers transfers)
{
    /// <summary>Fetches the needed entries; returns null if the whole volume should be read, because it costs no more or because a part failed.</summary>
    public async ValueTask<OpenedPart?> TryFetchAsync(WantedVolume wanted, CancellationToken cancellationToken)
    {
        SparseVolume? known = list.KeepsDirectories ? loader.Directories.Take(wanted.Volume) : null;
        return known is not null || ranges.IsWorthTrying(wanted.Volume, list.BytesOf(wanted), loader.Store.HasRanges)
            ? await transfers.RunAsync(token => TryReadAsync(wanted, known, token), part => part?.LengthBytes ?? 0, cancellationToken).ConfigureAwait(false)
            : null;
    }

    private async ValueTask<OpenedPart?> TryReadAsync(WantedVolume wanted, SparseVolume? sparse, CancellationToken cancellationToken)
    {
        try
        {
            sparse ??= await SparseVolume.OpenAsync(loader, wanted.Volume, ranges, cancellationToken).ConfigureAwait(false);
            OpenedPart? part = await sparse.TryReadAsync(FindWanted(sparse, wanted), cancellationToken).ConfigureAwait(false);
            if (list.KeepsDirectories)
            {
                loader.Directories.Keep(sparse);
                sparse = null;
            }

            return part;
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            Log.PartRefused(loader.Logger, wanted.Volume.FileName, failure.Reason());
            return null;
        }
        finally
        {
            sparse?.Dispose();
        }
    }

    private List<ArchiveEntry> FindWanted(SparseVolume sparse, WantedVolume volume)
    {
        List<ArchiveEntry> wanted = [];
        Span<byte> hash = stackalloc byte[HashKinds.MaxLengthBytes];
        foreach (ArchiveEntry entry in sparse.Entries)
        {
            if (BlockName.TryDecode(sparse.NameOf(entry), hash, out int length) && list.Find(hash[..length], entry.Length, volume) >= 0)
            {
                wanted.Add(entry);
            }
        }

        return wanted;
    }
}
