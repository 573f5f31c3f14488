namespace Restore.Catalog;

internal sealed class FileListReading(VolumeLoader loader, VolumeSet volumes)
{
    // If the manifest of a list is lost, this many other volumes are tried.
    private const int MaxManifestTries = 8;

    // Entries of a list that is streamed come in batches.
    private const int BatchEntries = 512;

    // Some milliseconds of work in a browser.
    private const int EntriesBeforeYield = 2048;

    private const string PartialVersion =
        "The version is partial: its backup was stopped or took no file, so it may lack files that an older version has";

    public ListSalvage Salvage => field ??= new ListSalvage(this, loader, volumes);

    /// <summary>
    /// Reads the selected entries of a list. Of a damaged one it reads what is left, if that is
    /// anything, and reports it.
    /// </summary>
    /// <param name="salvages">False to fail if the list is not whole.</param>
    public async Task<VersionContent> ReadAsync(
        Volume volume,
        BackupVersion version,
        EntryFilter filter,
        EntryObserver? observer,
        CancellationToken cancellationToken,
        bool salvages = true
    )
    {
        VersionContent read;
        try
        {
            read = await ReadAsync(
                    volume,
                    version,
                    async source => Read(await OpenAsync(source, cancellationToken).ConfigureAwait(false)),
                    cancellationToken
                )
                .ConfigureAwait(false);
        }
        catch (RestoreException failure) when (salvages && ListSalvage.IsWorthTrying(failure))
        {
            read = await Salvage.ReadAsync(volume, version, failure, Read, cancellationToken).ConfigureAwait(false);
        }

        // The volume of a long list would add to the memory of all that follows.
        loader.Pool.DropIdle();
        return read;

        VersionContent Read(OpenedList opened)
        {
            using OpenedList list = opened;
            VersionContent content = new(version, list.Layout);
            content.Issues.AddRange(list.Issue is null ? [] : [list.Issue]);
            if (!list.IsFullBackup)
            {
                content.Issues.Add(new RestoreIssue(IssueKind.Warning, volume.FileName, PartialVersion));
            }

            VersionContentBuilder builder = new(content, filter, observer);
            list.ReadSome(builder, long.MaxValue, cancellationToken);
            builder.End();
            content.Issues.AddRange(Salvage.IssuesOf(list, version));
            return content;
        }
    }

    /// <summary>
    /// Reads the selected entries as a stream. A list that is broken further down throws after the
    /// entries that can be read.
    /// </summary>
    public async IAsyncEnumerable<BackupEntry> ListAsync(
        Volume volume,
        BackupVersion version,
        EntryFilter filter,
        IssueLog issues,
        [EnumeratorCancellation] CancellationToken cancellationToken
    )
    {
        List<BackupEntry> batch = [];
        SelectedEntries sink = new(filter, entry => batch.Add(ListedEntries.Of(entry)), issues);
        using ListPassage passage = new(this, volume, version, sink, issues);
        for (bool isMore = true; isMore; )
        {
            isMore = await passage.ReadSomeAsync(BatchEntries, cancellationToken).ConfigureAwait(false);
            foreach (BackupEntry entry in batch)
            {
                yield return entry;
            }

            batch.Clear();
        }
    }

    /// <summary>
    /// Passes the entries on as they are read. A list that is broken further down ends with what
    /// can be read, and an issue.
    /// </summary>
    public async Task PassAsync(
        Volume volume,
        BackupVersion version,
        IFileListSink sink,
        IssueLog issues,
        CancellationToken cancellationToken
    )
    {
        using ListPassage passage = new(this, volume, version, sink, issues);

        // A browser has one thread for everything: between two parts of a list it does what the user
        // asked for meanwhile.
        long part = OperatingSystem.IsBrowser() ? EntriesBeforeYield : long.MaxValue;
        while (await passage.ReadSomeAsync(part, cancellationToken).ConfigureAwait(false))
        {
            await Task.Yield();
        }
    }

    /// <exception cref="BrokenListException">The list was not looked through, and is broken;
    /// discard what the sink received.</exception>
    public Task<RestoreIssue?> ReadIntoAsync(
        Volume volume,
        BackupVersion version,
        Func<OpenedList, IFileListSink> sinkOf,
        bool isChecked,
        CancellationToken cancellationToken
    ) =>
        ReadAsync(
            volume,
            version,
            async source =>
            {
                using OpenedList list = await OpenAsync(source, cancellationToken).ConfigureAwait(false);
                if (isChecked)
                {
                    LookThrough(source, list, cancellationToken);
                }

                IFileListSink sink = sinkOf(list);
                try
                {
                    list.ReadSome(sink, long.MaxValue, cancellationToken);
                }
                catch (Exception failure) when (!isChecked && VolumeLoader.IsLoss(failure))
                {
                    // The list was read only once, so the sink may have entries of a broken list.
                    // The caller has to know that, which the loss alone does not say.
                    throw new BrokenListException(failure);
                }

                return list.Issue;
            },
            cancellationToken
        );

    /// <summary>Reads into a sink what is left of a damaged list.</summary>
    /// <param name="failure">Why the list cannot be used whole; thrown again if nothing is
    /// left.</param>
    public Task<IReadOnlyList<RestoreIssue>> SalvageIntoAsync(
        Volume volume,
        BackupVersion version,
        RestoreException failure,
        Func<OpenedList, IFileListSink> sinkOf,
        CancellationToken cancellationToken
    ) =>
        Salvage.ReadAsync(
            volume,
            version,
            failure,
            opened =>
            {
                using OpenedList list = opened;
                list.ReadSome(sinkOf(list), long.MaxValue, cancellationToken);
                return (IReadOnlyList<RestoreIssue>)
                    [.. list.Issue is null ? [] : new[] { list.Issue }, .. Salvage.IssuesOf(list, version)];
            },
            cancellationToken
        );

    /// <summary>Whether a failure concerns the one list: others may be sound.</summary>
    public static bool IsUnusable(RestoreException failure) =>
        failure.Code
            is RestoreErrorCode.FileListUnusable
                or RestoreErrorCode.FileListRefused
                or RestoreErrorCode.FileListFrozen
                or RestoreErrorCode.FileListIncomplete
                or RestoreErrorCode.FileListUnauthentic
                or RestoreErrorCode.FileListsUnencrypted
                or RestoreErrorCode.KeyIterationsExceeded
                or RestoreErrorCode.EncryptedToKey;

    /// <summary>
    /// Runs a step of reading a list, and says of a failure what it means for the version.
    /// </summary>
    public async Task<T> ReadAsync<T>(
        Volume volume,
        BackupVersion version,
        Func<Volume, Task<T>> step,
        CancellationToken cancellationToken
    )
    {
        try
        {
            return await step(volume).ConfigureAwait(false);
        }
        catch (PassphraseException) when (volume.Name.Encryption != EncryptionKind.None)
        {
            // A damaged header looks like a wrong passphrase. If the passphrase opens another
            // volume, it is right, and only this list is damaged.
            await new PassphraseCheck(loader, volumes)
                .RequireAnyOtherAsync(volume, cancellationToken)
                .ConfigureAwait(false);
            if (await MendAsync(volume, cancellationToken).ConfigureAwait(false) is Volume mended)
            {
                return await ReadAsync(mended, version, step, cancellationToken).ConfigureAwait(false);
            }

            throw new RestoreException(
                RestoreErrorCode.FileListUnusable,
                $"The passphrase does not open the file list of {version.Name}, though it opens other volumes: "
                    + "its header is damaged, or it was made with another passphrase",
                volume.FileName
            );
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            if (await MendAsync(volume, cancellationToken).ConfigureAwait(false) is Volume mended)
            {
                return await ReadAsync(mended, version, step, cancellationToken).ConfigureAwait(false);
            }

            bool isRefused = VolumeLoader.IsRefused(failure);
            throw new RestoreException(
                failure.ToIssueCode() switch
                {
                    IssueCode.UnencryptedVolume => RestoreErrorCode.FileListsUnencrypted,
                    IssueCode.VolumeFrozen => RestoreErrorCode.FileListFrozen,
                    _ when isRefused => RestoreErrorCode.FileListRefused,
                    IssueCode.KeyIterationsExceeded => RestoreErrorCode.KeyIterationsExceeded,
                    IssueCode.EncryptedToKey => RestoreErrorCode.EncryptedToKey,
                    _ => RestoreErrorCode.FileListUnusable,
                },
                $"The file list of {version.Name} cannot be {(isRefused ? "read" : "used")}: {failure.Reason()}",
                volume.FileName,
                failure
            );
        }
    }

    private async Task<Volume?> MendAsync(Volume volume, CancellationToken cancellationToken) =>
        loader.Mender is null ? null : await loader.Mender.MendAsync(volume, cancellationToken).ConfigureAwait(false);

    /// <summary>
    /// Opens a list for a receiver that cannot take entries back. If there are parity files, the
    /// whole list is read through first, while it can still be repaired.
    /// </summary>
    public async Task<OpenedList> OpenToPassAsync(Volume volume, CancellationToken cancellationToken)
    {
        OpenedList list = await OpenAsync(volume, cancellationToken).ConfigureAwait(false);
        try
        {
            if (loader.Mender is { CanMend: true })
            {
                LookThrough(volume, list, cancellationToken);
            }

            return list;
        }
        catch
        {
            list.Dispose();
            throw;
        }
    }

    private void LookThrough(Volume volume, OpenedList list, CancellationToken cancellationToken)
    {
        using Archive check = loader.OpenArchive(volume, list.Plain);
        OpenedList.Check(check, list.Layout, cancellationToken);
    }

    private async Task<OpenedList> OpenAsync(Volume volume, CancellationToken cancellationToken)
    {
        LoadedVolume loaded = await loader.LoadAsync(volume, cancellationToken).ConfigureAwait(false);
        try
        {
            loaded.RequireIntact();
            (BlockLayout layout, RestoreIssue? issue) = ManifestReading.Find(loaded.Archive) is Manifest manifest
                ? (
                    manifest.Layout,
                    await new ListDates(loader, volumes)
                        .ContradictionAsync(volume, manifest, cancellationToken)
                        .ConfigureAwait(false)
                )
                : await BorrowManifestAsync(volume, cancellationToken).ConfigureAwait(false);

            // A second walk: the manifest may come after the list, and a tar is forward-only.
            return OpenedList.Open(loaded, loader.OpenArchive(volume, loaded.Plain), layout, issue);
        }
        catch
        {
            loaded.Dispose();
            throw;
        }
    }

    /// <summary>All volumes of a backup have the same manifest, so any other will do.</summary>
    public async Task<(BlockLayout Layout, RestoreIssue? Issue)> BorrowManifestAsync(
        Volume volume,
        CancellationToken cancellationToken
    )
    {
        // A file list or an index volume costs less than a block volume, so only the smallest block
        // volume is tried, and last.
        IEnumerable<Volume> others = volumes
            .FileLists.Where(other => other != volume)
            .Concat(volumes.Indexes)
            .Take(MaxManifestTries)
            .Concat(volumes.Blocks.Where(block => !block.IsMissing).OrderBy(block => block.SizeBytes).Take(1));
        if (await FindLayoutAsync(others, cancellationToken).ConfigureAwait(false) is { } found)
        {
            return (
                found.Layout,
                new RestoreIssue(
                    IssueKind.Warning,
                    volume.FileName,
                    $"The file list has no manifest; block size and hash algorithms were taken from {found.From.FileName}"
                )
            );
        }

        throw new InvalidDataException("It has no manifest, and no other volume has a sound one");
    }

    /// <summary>
    /// Block size and hashes by the first sound manifest of some volumes; null if none has one.
    /// </summary>
    public async Task<(BlockLayout Layout, Volume From)?> FindLayoutAsync(
        IEnumerable<Volume> some,
        CancellationToken cancellationToken
    )
    {
        foreach (Volume volume in some)
        {
            if (await loader.TryReadManifestAsync(volume, cancellationToken).ConfigureAwait(false) is Manifest manifest)
            {
                return (manifest.Layout, volume);
            }
        }

        return null;
    }
}
