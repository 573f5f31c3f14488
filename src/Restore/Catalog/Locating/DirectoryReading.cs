namespace Restore.Catalog.Locating;

/// <summary>Reads the archive directory of a block volume that no index describes.</summary>
internal sealed class DirectoryReading(VolumeLoader loader, HashKind blockHash, RangePolicy ranges)
{
    public async ValueTask<ListedBlocks> ReadAsync(Volume volume, CancellationToken cancellationToken)
    {
        using SparseVolume? sparse = await TryOpenSparseAsync(volume, cancellationToken).ConfigureAwait(false);
        if (sparse is not null)
        {
            using Archive directory = sparse.OpenDirectory();
            return List(volume, directory, isWhole: true);
        }

        using LoadedVolume loaded = await loader.LoadAsync(volume, cancellationToken).ConfigureAwait(false);
        return List(volume, loaded.Archive, isWhole: loaded.IsIntact);
    }

    /// <summary>Reads only the directory, if that is possible and the directory is sound.</summary>
    private async ValueTask<SparseVolume?> TryOpenSparseAsync(Volume volume, CancellationToken cancellationToken)
    {
        try
        {
            return ranges.IsWorthTrying(volume, wantedBytes: 0, loader.Store.HasRanges)
                ? await SparseVolume.OpenAsync(loader, volume, ranges, cancellationToken).ConfigureAwait(false)
                : null;
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure) && VolumeLoader.FitsWhole(volume.SizeBytes))
        {
            // A damaged directory is no loss yet: the whole volume can be read entry by entry. A
            // volume that does not fit into memory is lost here.
            return null;
        }
    }

    private ListedBlocks List(Volume volume, Archive archive, bool isWhole)
    {
        ListedBlocks blocks = new(blockHash, loader.Pool) { Volume = volume.Id, IsPartial = !isWhole };
        try
        {
            ListEntries(archive, blocks);
            return blocks;
        }
        catch (InvalidDataException)
        {
            // A tar stream that breaks off: the entries before the break are good.
            blocks.IsPartial = true;
            return blocks;
        }
        catch
        {
            blocks.Dispose();
            throw;
        }
    }

    private static void ListEntries(Archive archive, ListedBlocks blocks)
    {
        Span<byte> hash = stackalloc byte[HashKinds.MaxLengthBytes];
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            if (BlockName.TryDecode(archive.NameOf(entry), hash, out int length))
            {
                blocks.Block(hash[..length], entry.Length);
            }
        }
    }
}
