using Restore.Catalog.Database;
using Restore.Ends;
using Restore.Restoring;
using Restore.Volumes.Parity;

namespace Restore;

/// <summary>
/// Opens a backup: lists its volumes, makes what reads them, and opens the local database if one is
/// given.
/// </summary>
internal static class BackupOpening
{
    private static TrustRules TrustOf(BackupOptions options) =>
        new(!string.IsNullOrEmpty(options.Passphrase), options.AllowUnencrypted, options.TimeProvider.GetUtcNow());

    private static CipherOptions CiphersOf(BackupOptions options) =>
        new(options.Passphrase)
        {
            FormerPassphrases = options.FormerPassphrases,
            MaxKeyIterations = options.MaxKeyIterations,
            AllowsUnencrypted = options.AllowUnencrypted,
            AllowsGpgKeys = options.AllowGpgKeys,
            GpgProgramPath = options.GpgProgramPath,
            Patience = StoreFactory.PatienceOf(options.StoreOptions),
        };

    private static async Task<VolumeSet> ListVolumesAsync(
        IVolumeStore store,
        BackupOptions options,
        bool needsFileLists,
        CancellationToken cancellationToken
    )
    {
        try
        {
            return await VolumeSet
                .ListAsync(store, options.Prefix, needsFileLists, cancellationToken, TrustOf(options))
                .ConfigureAwait(false);
        }
        catch (IOException failure)
        {
            // A local store has no retries, which would have reported it so.
            throw new RestoreException(RestoreErrorCode.ListingFailed, failure.Reason(), store.DisplayName, failure);
        }
    }

    public static async Task<RestoreSession> OpenAsync(
        MeteredStore store,
        BackupOptions options,
        CancellationToken cancellationToken
    )
    {
        bool hasDatabase = !string.IsNullOrEmpty(options.DatabasePath);
        BufferPool pool = new();
        try
        {
            OpenHandles.Require();
            CachingStore? cache = string.IsNullOrEmpty(options.CacheDirectory)
                ? null
                : new CachingStore(store, options.CacheDirectory);
            IVolumeStore source = cache is null ? store : cache;
            VolumeSet volumes = await ListVolumesAsync(source, options, needsFileLists: !hasDatabase, cancellationToken)
                .ConfigureAwait(false);
            ILogger logger = Backup.LoggerOf(options);
            MendedStore mended = new(source);
            VolumeLoader loader = new(mended, new VolumeCiphers(CiphersOf(options), pool), new Codecs(), pool, logger)
            {
                Spool = new VolumeSpool(mended, options.CacheDirectory, pool),
                Mender = new VolumeMender(mended, volumes, options.Par2ProgramPath, options.CacheDirectory, pool),
                AllowsUnauthentic = options.AllowUnauthenticLists,
            };
            ICatalog catalog = await OpenCatalogAsync(options, loader, volumes, cancellationToken)
                .ConfigureAwait(false);
            options = catalog is VolumeCatalog ? options with { DatabasePath = null } : options;
            Log.Opened(logger, store.DisplayName, volumes.All.Count, catalog.Versions.Count);
            Log.Issues(logger, volumes.Issues.Concat(catalog.Differences));
            Log.Decoding(logger, loader.Codecs.Description);
            return new RestoreSession(options, store, cache, loader, volumes, catalog);
        }
        catch
        {
            await store.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>
    /// Opens the database, if one is given. An unusable database is not a reason to fail, because
    /// the volumes have everything that is needed.
    /// </summary>
    public static async Task<ICatalog> OpenCatalogAsync(
        BackupOptions options,
        VolumeLoader loader,
        VolumeSet volumes,
        CancellationToken cancellationToken
    )
    {
        if (string.IsNullOrEmpty(options.DatabasePath))
        {
            return new VolumeCatalog(loader, volumes);
        }

        try
        {
            return await DatabaseCatalog
                .OpenAsync(options.DatabasePath, loader, volumes, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (RestoreException failure)
            when (volumes.FileLists.Count > 0
                && failure.Code
                    is RestoreErrorCode.DatabaseUnusable
                        or RestoreErrorCode.DatabaseNotFound
                        or RestoreErrorCode.DatabaseMismatch
            )
        {
            RestoreIssue warning = new(IssueKind.Warning, options.DatabasePath, DatabaseFile.NotNeeded(failure))
            {
                Code = IssueCode.DatabaseUnusable,
            };
            return new VolumeCatalog(loader, volumes) { Differences = [warning] };
        }
    }
}
