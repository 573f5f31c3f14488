namespace Restore.Catalog;

/// <summary>
/// Reads what is left of a damaged file list: the entries before the place where it is cut or does
/// not decode, or all of them if something was added after its end. Nothing but the block hashes
/// verifies them, as with a list that is not encrypted, so a list that fails its authentication
/// counts only if the user asks for it.
/// </summary>
internal sealed class ListSalvage(FileListReading reading, VolumeLoader loader, VolumeSet volumes)
{
    /// <summary>Whether something may be left of a list that cannot be used whole.</summary>
    public static bool IsWorthTrying(RestoreException failure) => failure.Code == RestoreErrorCode.FileListUnusable;

    /// <summary>Opens what is left of a list and uses it.</summary>
    /// <param name="failure">Why the list cannot be used whole; thrown again if nothing is
    /// left.</param>
    /// <param name="read">Reads the opened list, which it disposes.</param>
    /// <exception cref="RestoreException">Nothing is left, or the list is not
    /// authentic.</exception>
    public async Task<T> ReadAsync<T>(
        Volume volume,
        BackupVersion version,
        RestoreException failure,
        Func<OpenedList, T> read,
        CancellationToken cancellationToken
    )
    {
        try
        {
            return read(await OpenAsync(volume, version, cancellationToken).ConfigureAwait(false));
        }
        catch (Exception defect) when (VolumeLoader.IsLoss(defect))
        {
            throw failure;
        }
    }

    /// <exception cref="RestoreException">The list is not authentic.</exception>
    public async Task<OpenedList> OpenAsync(Volume volume, BackupVersion version, CancellationToken cancellationToken)
    {
        LoadedVolume loaded = await loader.LoadDamagedAsync(volume, cancellationToken).ConfigureAwait(false);
        try
        {
            RequireAuthentic(loaded.Plain, version, volume);
            (BlockLayout layout, RestoreIssue? issue) = ManifestOf(loaded.Archive) is Manifest manifest
                ? (
                    manifest.Layout,
                    await new ListDates(loader, volumes)
                        .ContradictionAsync(volume, manifest, cancellationToken)
                        .ConfigureAwait(false)
                )
                : await reading.BorrowManifestAsync(volume, cancellationToken).ConfigureAwait(false);

            // A second walk, as the manifest can come after the list and a tar archive is
            // forward-only.
            return OpenedList.Open(loaded, loader.OpenDamaged(volume, loaded.Plain), layout, issue, salvages: true);
        }
        catch
        {
            loaded.Dispose();
            throw;
        }
    }

    /// <summary>
    /// The issues of a list that was read to its end: empty unless it was salvaged.
    /// </summary>
    /// <exception cref="InvalidDataException">Nothing is left of the list.</exception>
    public IEnumerable<RestoreIssue> IssuesOf(OpenedList list, BackupVersion version)
    {
        if (!list.IsSalvaged)
        {
            return [];
        }

        if (list.Defect is not null && list.EntriesRead == 0)
        {
            throw new InvalidDataException("No entry of the file list can be read");
        }

        return list.Plain.Authentic
            ? [IssueOf(list, version)]
            :
            [
                IssueOf(list, version),
                new RestoreIssue(
                    IssueKind.Damaged,
                    version.FileListName,
                    $"The file list of {version.Name} fails its authentication: it is damaged, or was changed by somebody"
                )
                {
                    Code = IssueCode.FileListUnauthentic,
                },
            ];
    }

    private static RestoreIssue IssueOf(OpenedList list, BackupVersion version) =>
        list.Defect is null
            ? new RestoreIssue(
                IssueKind.Warning,
                version.FileListName,
                list.HasExcess
                    ? $"The file list of {version.Name} has something after its end, and all entries of the list are there"
                    : $"The archive of the file list of {version.Name} is damaged, and all entries of the list are there"
            )
            {
                Code = IssueCode.FileListDamaged,
            }
            : new RestoreIssue(
                IssueKind.Damaged,
                version.FileListName,
                $"The file list of {version.Name} is incomplete ({list.Defect}): {list.EntriesRead:N0} entries of it "
                    + "can be read, and what it lacks is not known"
            )
            {
                Code = IssueCode.FileListIncomplete,
            };

    private void RequireAuthentic(in DecryptedVolume plain, BackupVersion version, Volume volume)
    {
        if (!plain.Authentic && !loader.AllowsUnauthentic)
        {
            throw new RestoreException(
                RestoreErrorCode.FileListUnauthentic,
                $"The file list of {version.Name} is damaged, or was changed by somebody: {plain.Defect ?? "it is not authentic"}",
                volume.FileName
            );
        }
    }

    /// <summary>The manifest, if it can be read: a cut tar archive may end before it.</summary>
    private static Manifest? ManifestOf(Archive archive)
    {
        try
        {
            return ManifestReading.Find(archive);
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            return null;
        }
    }
}
