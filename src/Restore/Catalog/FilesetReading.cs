namespace Restore.Catalog;

/// <summary>
/// Reads from a file list whether its backup was completed. From a remote list it reads only the
/// entry that says so.
/// </summary>
internal sealed class FilesetReading(VolumeLoader loader, VolumeSet volumes, RangePolicy ranges)
{
    /// <returns>The answer; null with the reason if the list cannot be read.</returns>
    /// <exception cref="RestoreException">The passphrase is wrong.</exception>
    public async ValueTask<(bool? IsFull, string? Defect)> ReadAsync(Volume volume, CancellationToken cancellationToken)
    {
        try
        {
            return (
                await TryReadPartAsync(volume, cancellationToken).ConfigureAwait(false)
                    ?? await ReadWholeAsync(volume, cancellationToken).ConfigureAwait(false),
                null
            );
        }
        catch (PassphraseException failure) when (volume.Name.Encryption != EncryptionKind.None)
        {
            await new PassphraseCheck(loader, volumes)
                .RequireAnyOtherAsync(volume, cancellationToken)
                .ConfigureAwait(false);
            return (null, failure.Reason());
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            return (null, failure.Reason());
        }
    }

    private async ValueTask<bool> ReadWholeAsync(Volume volume, CancellationToken cancellationToken)
    {
        using LoadedVolume loaded = await loader.LoadAsync(volume, cancellationToken).ConfigureAwait(false);
        loaded.RequireIntact();
        return Read(loaded.Archive);
    }

    /// <summary>
    /// What is read in part is not authenticated, so what is wrong with it is not reported: the
    /// whole volume is read instead.
    /// </summary>
    private async ValueTask<bool?> TryReadPartAsync(Volume volume, CancellationToken cancellationToken)
    {
        if (!ranges.IsWorthTrying(volume, wantedBytes: 0, loader.Store.HasRanges))
        {
            return null;
        }

        try
        {
            using SparseVolume sparse = await SparseVolume
                .OpenAsync(loader, volume, ranges, cancellationToken)
                .ConfigureAwait(false);
            List<ArchiveEntry> fileset = sparse.Find((name, _) => name.SequenceEqual(OpenedList.FilesetName));
            bool hasList = sparse.Find((name, _) => name.SequenceEqual(OpenedList.ListName)).Count > 0;
            if (
                !hasList
                || fileset.Count == 0
                || await sparse.TryReadAsync(fileset, cancellationToken).ConfigureAwait(false) is not VolumeChunk part
            )
            {
                return null;
            }

            using VolumeChunk owned = part;
            using Archive archive = part.OpenArchive(loader.Codecs);
            return archive.MoveNext(out ArchiveEntry entry) ? OpenedList.ReadFileset(archive, entry) : null;
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            return null;
        }
    }

    private static bool Read(Archive archive)
    {
        (bool isFull, bool hasList) = (true, false);
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            isFull = archive.NameOf(entry).SequenceEqual(OpenedList.FilesetName)
                ? OpenedList.ReadFileset(archive, entry)
                : isFull;
            hasList |= archive.NameOf(entry).SequenceEqual(OpenedList.ListName);
        }

        return hasList ? isFull : throw new InvalidDataException("It has no filelist.json");
    }
}
