using System.Runtime.ExceptionServices;
using Restore.Catalog.Locating;

namespace Restore.Catalog;

internal sealed class FileListReading(VolumeLoader loader, VolumeSet volumes)
{
    // If the manifest of a list is lost, this many other volumes are tried.
    private const int MaxManifestTries = 8;

    // Entries of a list that is streamed come in batches.
    private const int BatchEntries = 512;

    public async Task<VersionContent> ReadAsync(
        Volume volume, BackupVersion version, EntryFilter filter, EntryObserver? observer, CancellationToken cancellationToken)
    {
        VersionContent read = await ReadAsync(volume, version, async source =>
        {
            using OpenedList list = await OpenAsync(source, cancellationToken).ConfigureAwait(false);
            VersionContent content = new(version, list.Layout);
            content.Issues.AddRange(list.Issue is null ? [] : [list.Issue]);
            list.ReadSome(new VersionContentBuilder(content, filter, observer), long.MaxValue, cancellationToken);
            return content;
        }, cancellationToken).ConfigureAwait(false);

        // The volume of a long list would add to the memory of all that follows.
        loader.Pool.DropIdle();
        return read;
    }

    /// <summary>Reads the selected entries as a stream. A list that is broken further down throws after the entries before that place.</summary>
    public async IAsyncEnumerable<BackupEntry> ListAsync(
        Volume volume, BackupVersion version, EntryFilter filter, IssueLog issues, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        using OpenedList list = await ReadAsync(volume, version, source => OpenToPassAsync(source, cancellationToken), cancellationToken).ConfigureAwait(false);
        issues.AddRange(list.Issue is null ? [] : [list.Issue]);
        List<BackupEntry> batch = [];
        SelectedEntries sink = new(filter, entry => batch.Add(BackupEntry.Of(entry)), issues);
        for (bool isMore = true; isMore;)
        {
            isMore = await ReadAsync(
                volume, version, _ => Task.FromResult(list.ReadSome(sink, BatchEntries, cancellationToken)), cancellationToken).ConfigureAwait(false);
            foreach (BackupEntry entry in batch)
            {
                yield return entry;
            }

            batch.Clear();
        }
    }

    /// <summary>Passes the entries on as they are read. A list that is broken further down throws after the entries before that place.</summary>
    public async Task PassAsync(Volume volume, BackupVersion version, IFileListSink sink, IssueLog issues, CancellationToken cancellationToken)
    {
        using OpenedList list = await ReadAsync(volume, version, source => OpenToPassAsync(source, cancellationToken), cancellationToken).ConfigureAwait(false);
        issues.AddRange(list.Issue is null ? [] : [list.Issue]);
        await ReadAsync(
            volume, version, _ => Task.FromResult(list.ReadSome(sink, long.MaxValue, cancellationToken)), cancellationToken).ConfigureAwait(false);
    }

    /// <exception cref="BrokenListException">The list was not looked through, and is broken; discard what the sink received.</exception>
    public Task<RestoreIssue?> ReadIntoAsync(
        Volume volume, BackupVersion version, Func<OpenedList, IFileListSink> sinkOf, bool isChecked, CancellationToken cancellationToken) =>
        ReadAsync(volume, version, async source =>
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
                throw new BrokenListException(failure);
            }

            return list.Issue;
        }, cancellationToken);

    /// <exception cref="RestoreException">The list is broken, or the passphrase is wrong.</exception>
    public Task CheckAsync(Volume volume, BackupVersion version, CancellationToken cancellationToken) =>
        ReadAsync(volume, version, async source =>
        {
            using OpenedList list = await OpenAsync(source, cancellationToken).ConfigureAwait(false);
            LookThrough(source, list, cancellationToken);
            return true;
        }, cancellationToken);

    /// <summary>Whether a failure concerns the one list: others may be sound.</summary>
    public static bool IsUnusable(RestoreException failure) =>
        failure.Code is RestoreErrorCode.FileListUnusable or RestoreErrorCode.FileListRefused
            or RestoreErrorCode.KeyIterationsExceeded or RestoreErrorCode.EncryptedToKey;

    /// <summary>Runs a step of reading a list, and says of a failure what it means for the version.</summary>
    private async Task<T> ReadAsync<T>(Volume volume, BackupVersion version, Func<Volume, Task<T>> step, CancellationToken cancellationToken)
    {
        try
        {
            return await step(volume).ConfigureAwait(false);
        }
        catch (PassphraseException) when (volume.Name.Encryption != EncryptionKind.None)
        {
            await new PassphraseCheck(loader, volumes).RequireAnyOtherAsync(volume, cancellationToken).ConfigureAwait(false);
            if (await MendAsync(volume, cancellationToken).ConfigureAwait(false) is Volume mended)
            {
                return await ReadAsync(mended, version, step, cancellationToken).ConfigureAwait(false);
            }

            throw new RestoreException(
                RestoreErrorCode.FileListUnusable,
                $"The passphrase does not open the file list of {version.Name}, though it opens other volumes: "
                + "its header is damaged, or it was made with another passphrase",
                volume.FileName);
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
                    _ when isRefused => RestoreErrorCode.FileListRefused,
                    IssueCode.KeyIterationsExceeded => RestoreErrorCode.KeyIterationsExceeded,
                    IssueCode.EncryptedToKey => RestoreErrorCode.EncryptedToKey,
                    _ => RestoreErrorCode.FileListUnusable,
                },
                $"The file list of {version.Name} cannot be {(isRefused ? "read" : "used")}: {failure.Reason()}",
                volume.FileName,
                failure);
        }
    }

    private async Task<Volume?> MendAsync(Volume volume, CancellationToken cancellationToken) =>
        loader.Mender is null ? null : await loader.Mender.MendAsync(volume, cancellationToken).ConfigureAwait(false);

    /// <summary>Opens a list whose entries cannot be taken back. With parity files it is looked through first: it can still be repaired then.</summary>
    private async Task<OpenedList> OpenToPassAsync(Volume volume, CancellationToken cancellationToken)
    {
        OpenedList list = await OpenAsync(volume, cancellationToken).ConfigureAwait(false);
        try
        {
            if (loader.Mender is { HasParity: true })
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
                ? (manifest.Layout, await new ListDates(loader, volumes).ContradictionAsync(volume, manifest, cancellationToken).ConfigureAwait(false))
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
    private async Task<(BlockLayout Layout, RestoreIssue? Issue)> BorrowManifestAsync(Volume volume, CancellationToken cancellationToken)
    {
        IEnumerable<Volume> others = volumes.FileLists.Where(other => other != volume).Concat(volumes.Indexes).Take(MaxManifestTries);
        if (await FindLayoutAsync(others, cancellationToken).ConfigureAwait(false) is { } found)
        {
            return (found.Layout, new RestoreIssue(
                IssueKind.Warning,
                volume.FileName,
                $"The file list has no manifest; block size and hash algorithms were taken from {found.From.FileName}"));
        }

        throw new InvalidDataException("It has no manifest, and no other volume has a sound one");
    }

    /// <summary>Block size and hashes by the first sound manifest of some volumes; null if none has one.</summary>
    public async Task<(BlockLayout Layout, Volume From)?> FindLayoutAsync(IEnumerable<Volume> some, CancellationToken cancellationToken)
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

/// <summary>The catalog that needs only the volumes: file lists for the entries, index volumes for the locations.</summary>
internal sealed class VolumeCatalog(VolumeLoader loader, VolumeSet volumes) : ICatalog
{
    private readonly FileListReading reading = new(loader, volumes);

    public IReadOnlyList<BackupVersion> Versions { get; } =
        [.. volumes.FileLists.Select((volume, index) => new BackupVersion(index, volume.Name.Time, volume.FileName))];

    public IReadOnlyList<RestoreIssue> Differences => [];

    public Task<VersionContent> ReadAsync(BackupVersion version, EntryFilter filter, EntryObserver? observer, CancellationToken cancellationToken) =>
        reading.ReadAsync(FileListOf(version), version, filter, observer, cancellationToken);

    public IAsyncEnumerable<BackupEntry> ListAsync(
        BackupVersion version, EntryFilter filter, IssueLog issues, CancellationToken cancellationToken) =>
        reading.ListAsync(FileListOf(version), version, filter, issues, cancellationToken);

    public async Task PassAsync(
        BackupVersion version, EntryFilter filter, Action<EntryInList> receive, IssueLog issues, CancellationToken cancellationToken)
    {
        try
        {
            await reading.PassAsync(
                FileListOf(version), version, new SelectedEntries(filter, Receive, issues), issues, cancellationToken).ConfigureAwait(false);
        }
        catch (ReceiverException failure)
        {
            ExceptionDispatchInfo.Throw(failure.InnerException!);
        }

        // What goes wrong there says nothing about the list.
        void Receive(EntryInList entry)
        {
            try
            {
                receive(entry);
            }
            catch (Exception failure)
            {
                throw new ReceiverException(failure);
            }
        }
    }

    /// <summary>Null: without a database, only the volumes have locations.</summary>
    public ILocationSource? LocationsFor(SearchState search, BlockNeeds needs) => null;

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private Volume FileListOf(BackupVersion version) => volumes.FileLists.Single(volume => volume.FileName == version.FileListName);
}

/// <summary>The source of versions, entries and block locations: the volumes themselves, or a local database.</summary>
internal interface ICatalog : IAsyncDisposable
{
    IReadOnlyList<BackupVersion> Versions { get; }

    IReadOnlyList<RestoreIssue> Differences { get; }

    /// <summary>Reads the selected entries of a version. The observer, if any, sees all entries.</summary>
    Task<VersionContent> ReadAsync(BackupVersion version, EntryFilter filter, EntryObserver? observer, CancellationToken cancellationToken);

    /// <summary>Lists the selected entries of a version; what is wrong in the list goes to the log.</summary>
    IAsyncEnumerable<BackupEntry> ListAsync(BackupVersion version, EntryFilter filter, IssueLog issues, CancellationToken cancellationToken);

    /// <summary>Passes the selected entries of a version on as they are read; what is wrong in the list goes to the log.</summary>
    Task PassAsync(BackupVersion version, EntryFilter filter, Action<EntryInList> receive, IssueLog issues, CancellationToken cancellationToken);

    /// <summary>What the catalog itself knows about the blocks of a version, for one search; null if only the volumes know.</summary>
    ILocationSource? LocationsFor(SearchState search, BlockNeeds needs);
}
