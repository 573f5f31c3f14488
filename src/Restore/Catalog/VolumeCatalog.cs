using System.Runtime.ExceptionServices;
using Restore.Catalog.Locating;

namespace Restore.Catalog;

/// <summary>The catalog that needs only the volumes: file lists for the entries, index volumes for the locations.</summary>
internal sealed class VolumeCatalog : ICatalog
{
    private readonly VolumeLoader loader;
    private readonly VolumeSet volumes;

    public VolumeCatalog(VolumeLoader loader, VolumeSet volumes)
    {
        this.loader = loader;
        this.volumes = volumes;
        Versions = [.. volumes.FileLists.Select((volume, index) => new BackupVersion(index, volume.Name.Time, volume.FileName))];
    }

    public IReadOnlyList<BackupVersion> Versions { get; }

    public IReadOnlyList<RestoreIssue> Differences => [];

    public Task<VersionContent> ReadAsync(BackupVersion version, EntryFilter filter, EntryObserver? observer, CancellationToken cancellationToken) =>
        new FileListReading(loader, volumes).ReadAsync(FileListOf(version), version, filter, observer, cancellationToken);

    public IAsyncEnumerable<BackupEntry> ListAsync(
        BackupVersion version, EntryFilter filter, IssueLog issues, CancellationToken cancellationToken) =>
        new FileListReading(loader, volumes).ListAsync(FileListOf(version), version, filter, issues, cancellationToken);

    public async Task PassAsync(
        BackupVersion version, EntryFilter filter, Action<EntryInList> receive, IssueLog issues, CancellationToken cancellationToken)
    {
        try
        {
            await new FileListReading(loader, volumes).PassAsync(
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

/// <summary>Distinguishes a wrong passphrase from a damaged volume header: the right passphrase opens another volume.</summary>
internal sealed class PassphraseCheck(VolumeLoader loader, VolumeSet volumes)
{
    // A second and a third volume with a damaged header are unlikely.
    private const int MaxTries = 3;

    /// <summary>Tries the passphrase on the smallest encrypted volumes, so that a wrong one is reported early.</summary>
    /// <param name="fileList">Tried last, unless null: anybody who can write to the store could plant small volumes of another passphrase.</param>
    /// <exception cref="RestoreException">The passphrase opens none of them.</exception>
    public Task RequireAnyAsync(string? fileList, CancellationToken cancellationToken) => RequireAnyAsync(failed: null, fileList, cancellationToken);

    /// <summary>Tries the passphrase on other volumes than the one on which it failed.</summary>
    /// <exception cref="RestoreException">The passphrase opens none of them.</exception>
    public Task RequireAnyOtherAsync(Volume? failed, CancellationToken cancellationToken) => RequireAnyAsync(failed, fileList: null, cancellationToken);

    private async Task RequireAnyAsync(Volume? failed, string? fileList, CancellationToken cancellationToken)
    {
        if (loader.IsPassphraseRight)
        {
            return;
        }

        bool wasTried = failed is not null;
        Volume[] candidates = [.. volumes.All
            .Where(volume => volume != failed && volume.Name.Encryption != EncryptionKind.None && volume.SizeBytes > 0)
            .OrderBy(volume => volume.SizeBytes)];
        foreach (Volume volume in candidates.Take(MaxTries).Concat(candidates.Skip(MaxTries).Where(volume => volume.FileName == fileList)))
        {
            try
            {
                PooledBuffer fetched = await loader.FetchAsync(volume, cancellationToken).ConfigureAwait(false);
                DecryptedVolume plain = await loader.DecryptAsync(volume, fetched, cancellationToken).ConfigureAwait(false);
                plain.Buffer.Dispose();
                return;
            }
            catch (PassphraseException)
            {
                wasTried = true;
            }
            catch (Exception failure) when (VolumeLoader.IsLoss(failure))
            {
                continue;
            }
        }

        if (wasTried)
        {
            throw new RestoreException(
                RestoreErrorCode.WrongPassphrase, "The passphrase is not the one this backup was made with", loader.Store.DisplayName);
        }
    }
}
