using Restore.Catalog.Locating;
using Restore.Ends;
using Restore.Ends.Drill;

namespace Restore.Restoring;

/// <summary>An opened backup, as planning and execution use it.</summary>
internal sealed record RestoreSession(
    BackupOptions Options,
    MeteredStore Store,
    CachingStore? Cache,
    VolumeLoader Loader,
    VolumeSet Volumes,
    ICatalog Catalog
)
{
    public BufferPool Pool => Loader.Pool;

    /// <summary>
    /// Opens the target of a restore; the second argument is whether its files are flushed.
    /// </summary>
    public Func<RestoreOptions, bool, IRestoreTarget> OpenTarget { get; init; } =
        (options, flushesFiles) =>
            options.VerifyOnly
                ? new VerifyOnlyTarget(options.Target)
                : FileSystemTarget.Open(options.Target ?? FileSystemRoot, flushesFiles);

    /// <summary>
    /// Opens the target on a separate thread: if the server of a share is gone, the system call
    /// blocks its caller.
    /// </summary>
    public Task<IRestoreTarget> OpenTargetAsync(RestoreOptions options, bool flushesFiles) =>
        new OwnThreads().RunAsync(() => OpenTarget(options, flushesFiles));

    public Func<ulong> NewRunId { get; init; } =
        () => BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8));

    public ILogger Logger => Loader.Logger;

    public IEnumerable<RestoreIssue> CacheIssues() =>
        Cache?.Problem is string problem
            ? [new RestoreIssue(IssueKind.Warning, Options.CacheDirectory!, problem) { Code = IssueCode.CacheUnusable }]
            : [];

    /// <summary>The problems of the cache and of repairs so far.</summary>
    public IEnumerable<RestoreIssue> Issues() => [.. CacheIssues(), .. Loader.Mender?.Issues.ToList() ?? []];

    /// <summary>
    /// Refuses a plan of another backup, and a passphrase that does not open the backup: either
    /// would lose all blocks of the plan.
    /// </summary>
    /// <exception cref="RestoreException">The plan does not fit the backup, or the passphrase is
    /// wrong or missing.</exception>
    public Task RequireFitsAsync(RestorePlan plan, CancellationToken cancellationToken)
    {
        PlanVolumes.RequireFits(plan, Volumes, Store.DisplayName);
        return new PassphraseCheck(Loader, Volumes).RequireAnyAsync(plan.Version.FileListName, cancellationToken);
    }

    /// <summary>
    /// The root of original places; on Windows the names of drives and shares come below it.
    /// </summary>
    public static string FileSystemRoot => OperatingSystem.IsWindows() ? @"\\?\" : "/";

    /// <summary>
    /// Begins to read index volumes, before it is known which blocks are needed. A local store and
    /// a local database do not need that.
    /// </summary>
    public IndexesAhead ReadIndexesAhead(CancellationToken cancellationToken) =>
        new(
            Loader,
            Store.IsLocal || !string.IsNullOrEmpty(Options.DatabasePath) ? [] : Volumes.Indexes,
            cancellationToken
        );

    /// <summary>
    /// Opens the original places to take blocks from, if the options ask for that and the target is
    /// another place.
    /// </summary>
    public static IRestoreTarget? OpenOriginalPlaces(RestoreOptions options) =>
        options is { RestoreWithLocalBlocks: true, Target: not null, VerifyOnly: false }
            ? FileSystemTarget.Open(FileSystemRoot, opensFolders: false)
            : null;
}
