namespace Restore.Reading;

/// <summary>
/// Fetches only the needed entries of a volume, if that costs less than the whole volume.
/// </summary>
internal sealed class PartFetch(VolumeLoader loader, FetchList list, RangePolicy ranges, Transfers transfers)
{
    /// <summary>
    /// Fetches the needed entries; returns null if the whole volume should be read, because it
    /// costs no more or because a part failed.
    /// </summary>
    public async ValueTask<FetchedVolume?> TryFetchAsync(WantedVolume wanted, CancellationToken cancellationToken)
    {
        SparseVolume? known = list.KeepsDirectories ? loader.Directories.Take(wanted.Volume) : null;
        return known is not null || ranges.IsWorthTrying(wanted.Volume, list.BytesOf(wanted), loader.Store.HasRanges)
            ? await transfers
                .RunAsync(
                    token => TryFetchAsync(wanted, known, token),
                    part => part?.LengthBytes ?? 0,
                    cancellationToken
                )
                .ConfigureAwait(false)
            : null;
    }

    private async ValueTask<FetchedVolume?> TryFetchAsync(
        WantedVolume wanted,
        SparseVolume? sparse,
        CancellationToken cancellationToken
    )
    {
        try
        {
            sparse ??= await SparseVolume
                .OpenAsync(loader, wanted.Volume, ranges, cancellationToken)
                .ConfigureAwait(false);
            FetchedEntries? entries = await sparse
                .TryFetchAsync(FindWanted(sparse, wanted), cancellationToken)
                .ConfigureAwait(false);
            IDisposable source = list.KeepsDirectories ? new KeptDirectory(loader.Directories, sparse) : sparse;
            long sourceBytes = list.KeepsDirectories ? 0 : sparse.MemoryBytes;
            sparse = null;
            if (entries is not null)
            {
                return new FetchedVolume(wanted.Volume, entries, source, sourceBytes);
            }

            source.Dispose();
            return null;
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure) && VolumeLoader.FitsWhole(wanted.Volume.SizeBytes))
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
        using WantedBlocks blocks = new(list, volume);
        return sparse.Find(
            (name, length) =>
            {
                Span<byte> hash = stackalloc byte[HashKinds.MaxLengthBytes];
                return BlockName.TryDecode(name, hash, out int hashLength)
                    && blocks.Find(hash[..hashLength], length) >= 0;
            }
        );
    }
}
