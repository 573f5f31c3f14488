using Restore.Catalog.Locating;
using Restore.Restoring;
using Restore.Streams;

namespace Restore;

/// <content>Entries without a target: lists, one file as a stream, many entries for a sink of your
/// own.</content>
public partial class Backup
{
    private const long StreamCacheBytes = 64 << 20;
    private const long ExportCacheBytes = 256 << 20;
    private const long LeastCacheBytes = 1 << 20;

    // Share of the memory of the machine.
    private const int CacheShare = 8;

    /// <summary>
    /// Lists the entries of a version as they are read, in the order of its file list.
    /// </summary>
    /// <param name="version">One of <see cref="Versions"/>.</param>
    /// <param name="filter">Selects entries; null selects all.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="RestoreException">The file list cannot be read, or the passphrase is
    /// wrong. A list that is broken in the middle throws after the entries that can be read
    /// (<see cref="RestoreErrorCode.FileListIncomplete"/>).</exception>
    public virtual async IAsyncEnumerable<BackupEntry> ListAsync(
        BackupVersion version,
        EntryFilter? filter = null,
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        IssueLog issues = new();
        ConfiguredCancelableAsyncEnumerable<BackupEntry> entries = Session
            .Catalog.ListAsync(version, filter ?? EntryFilter.All, issues, cancellationToken)
            .ConfigureAwait(false);
        bool isAny = false;
        await foreach (BackupEntry entry in entries)
        {
            isAny = true;
            yield return entry;
        }

        EndOfList(version, isAny, issues);
    }

    /// <summary>
    /// Reads the file list of a version without an object for each entry: a million entries in less
    /// than a second.
    /// </summary>
    /// <param name="version">One of <see cref="Versions"/>.</param>
    /// <param name="receive">Receives the entries one after another, in the order of the list, on
    /// the thread that reads.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="RestoreException">As of <see cref="ListAsync"/>.</exception>
    public virtual async Task ReadListAsync(
        BackupVersion version,
        Action<EntryInList> receive,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(version);
        ArgumentNullException.ThrowIfNull(receive);
        IssueLog issues = new();
        bool isAny = false;
        await Session
            .Catalog.PassAsync(version, EntryFilter.All, Receive, issues, cancellationToken)
            .ConfigureAwait(false);
        EndOfList(version, isAny, issues);

        void Receive(EntryInList entry)
        {
            isAny = true;
            receive(entry);
        }
    }

    /// <summary>
    /// Opens one file of a version as a stream: read-only and seekable. It fetches what is read,
    /// and reads ahead during forward reads. At most 64 MiB of blocks are kept in memory. Each
    /// block is verified by its hash, and a stream that is read from start to end also by the hash
    /// of the file.
    /// </summary>
    /// <param name="version">One of <see cref="Versions"/>.</param>
    /// <param name="path">The original path, exactly as listed.</param>
    /// <param name="cancellationToken">Cancels the opening.</param>
    /// <returns>The stream; dispose it before the backup. A read throws an
    /// <see cref="IOException"/> if its bytes are lost, or if the file does not have the recorded
    /// hash, and a <see cref="RestoreException"/> if the store is lost. A stream is not safe for
    /// concurrent use, but any number of streams can be open.</returns>
    /// <exception cref="RestoreException">The file does not exist, the file list cannot be read, or
    /// the passphrase is wrong.</exception>
    public virtual Task<Stream> OpenEntryAsync(
        BackupVersion version,
        string path,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(version);
        ArgumentException.ThrowIfNullOrEmpty(path);
        return RestoreTelemetry.WatchAsync("OpenEntry", _ => OpenStreamAsync(version, path, cancellationToken));
    }

    /// <summary>Passes the entries of a version to a sink of your own, one after another.</summary>
    /// <param name="version">One of <see cref="Versions"/>.</param>
    /// <param name="sink">Receives the entries.</param>
    /// <param name="options">Which entries to select, and how.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What the sink took, and what was lost.</returns>
    /// <exception cref="RestoreException">Nothing is selected, the file list cannot be read, the
    /// passphrase is wrong, or the store is lost.</exception>
    public virtual Task<ExportReport> ExportAsync(
        BackupVersion version,
        IEntrySink sink,
        ExportOptions? options = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(version);
        ArgumentNullException.ThrowIfNull(sink);
        return RestoreTelemetry.WatchAsync(
            "Export",
            _ =>
                ExportEntriesAsync(
                    version,
                    () => sink,
                    options ?? new ExportOptions(),
                    observer: null,
                    cancellationToken
                )
        );
    }

    internal static long CacheBytes(long wanted) =>
        Math.Max(LeastCacheBytes, Math.Min(wanted, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / CacheShare));

    private void EndOfList(BackupVersion version, bool isAny, IssueLog issues)
    {
        if (!isAny && issues.ToList().FirstOrDefault(issue => issue.Kind == IssueKind.Refused) is RestoreIssue first)
        {
            throw PlanBuilder.NoSoundEntry(version, first);
        }

        Log.Issues(Session.Logger, issues.ToList().Concat(Session.CacheIssues()));
        RequireComplete(issues);
    }

    /// <summary>A caller that gets no issues must still learn that entries are missing.</summary>
    private static void RequireComplete(IEnumerable<RestoreIssue> issues)
    {
        if (issues.FirstOrDefault(issue => issue.Code == IssueCode.FileListIncomplete) is { } incomplete)
        {
            throw new RestoreException(RestoreErrorCode.FileListIncomplete, incomplete.Reason, incomplete.Path);
        }
    }

    private EntryAccess OpenAccess() => OpenAccess(indexes: null);

    private EntryAccess OpenAccess(IndexesAhead? indexes, RestorePause? pause = null)
    {
        Execution reading = new(Session, new ExecuteOptions { Pause = pause });
        return new EntryAccess(
            Session.Catalog,
            reading.LocatorOf(indexes),
            reading.Blocks,
            Session.Volumes.All,
            Session.Options.MaxBlockSizeBytes
        )
        {
            Clock = Session.Options.TimeProvider,
        };
    }

    private async Task<BlockSource> OpenSourceAsync(
        BackupVersion version,
        EntryFilter filter,
        bool withMetadata,
        IssueLog issues,
        long cacheBytes,
        CancellationToken cancellationToken,
        EntryObserver? observer = null,
        RestorePause? pause = null
    )
    {
        IndexesAhead indexes = Session.ReadIndexesAhead(cancellationToken);
        await using (indexes.ConfigureAwait(false))
        {
            return await OpenAccess(indexes, pause)
                .OpenAsync(version, filter, withMetadata, issues, cacheBytes, cancellationToken, observer)
                .ConfigureAwait(false);
        }
    }

    private async Task<Stream> OpenStreamAsync(BackupVersion version, string path, CancellationToken cancellationToken)
    {
        IssueLog issues = new();
        BlockSource source = await OpenSourceAsync(
                version,
                EntryFilter.Exactly(path, $"{path}/", $@"{path}\"),
                withMetadata: false,
                issues,
                CacheBytes(StreamCacheBytes),
                cancellationToken
            )
            .ConfigureAwait(false);
        Log.Issues(Session.Logger, issues.ToList());
        EntryId[] found = [.. EntryId.UpTo(source.Version.Entries.Count).AsEnumerable()];
        EntryId[] file =
        [
            .. found
                .Where(entry => source.Version.IsFile(entry) && EntryPath.AreSame(source.Version.PathText(entry), path))
                .OrderBy(entry => source.Version.PathText(entry) != path)
                .Take(1),
        ];
        IssueReason refusal = default;
        if (file.Length == 1 && !source.Refused.TryGetValue(file[0], out refusal))
        {
            return new ContentStream(
                source,
                new ContentBlocks(source.Version, source.Version.Entries[file[0]].Content),
                path,
                ownsSource: true
            );
        }

        await source.DisposeAsync().ConfigureAwait(false);
        if (found.Length == 0)
        {
            RequireComplete(issues.ToList());
        }

        throw file.Length == 1
            ? new RestoreException(
                RestoreErrorCode.EntryNotFound,
                $"The entry cannot be used: {refusal.Sentence}",
                path
            )
        : found.Length > 0
            ? new RestoreException(
                RestoreErrorCode.EntryIsNotFile,
                "The entry is a folder or a link, which has no content",
                path
            )
        : new RestoreException(
            RestoreErrorCode.EntryNotFound,
            issues.ToList().FirstOrDefault(issue => issue.Path == path) is RestoreIssue issue
                ? $"The entry cannot be used: {issue.Reason}"
                : $"Version {version.Index} has no such entry",
            path
        );
    }

    private async Task<ExportReport> ExportEntriesAsync(
        BackupVersion version,
        Func<IEntrySink> openSink,
        ExportOptions options,
        EntryObserver? observer,
        CancellationToken cancellationToken
    )
    {
        ProgressMeter progress = StartMeter(options.Progress);
        progress.Begin(RestorePhase.ReadingFileList);
        IssueLog issues = new();
        long cacheBytes = CacheBytes(options.CacheMaxBytes ?? ExportCacheBytes);
        Task<BlockSource> opening = options.LastGood is { } lastGood
            ? OpenLastGoodSourceAsync(lastGood, options.Filter, issues, cacheBytes, options.Pause, cancellationToken)
            : OpenSourceAsync(
                version,
                options.Filter,
                withMetadata: true,
                issues,
                cacheBytes,
                cancellationToken,
                observer,
                options.Pause
            );
        BlockSource source = await opening.ConfigureAwait(false);
        await using (source.ConfigureAwait(false))
        {
            IdRange<EntryId> entries = EntryId.UpTo(source.Version.Entries.Count);
            if (source.Version.Entries.Count == 0 && !options.Filter.IsAll)
            {
                throw PlanBuilder.NothingSelected(version, options.Filter);
            }

            // Sizes are claims: their sum stays at the largest number.
            long bytes = entries
                .AsEnumerable()
                .Aggregate(0L, (sum, entry) => long.CreateSaturating((Int128)sum + source.Version.SizeOf(entry)));
            progress.Begin(RestorePhase.Restoring, entries.AsEnumerable().Count(source.Version.IsFile), bytes);
            EntryExport export = new(source, openSink(), issues, progress);
            await export.RunAsync(cancellationToken).ConfigureAwait(false);
            progress.Begin(RestorePhase.Done);
            issues.AddRange(Session.CacheIssues());
            Log.Issues(Session.Logger, issues.ToList());
            return new ExportReport
            {
                Version = version,
                Files = export.Taken.Files,
                Folders = export.Taken.Folders,
                Symlinks = export.Taken.Symlinks,
                Bytes = export.Bytes,
                BytesFetched = progress.BytesFetched,
                Elapsed = progress.Elapsed,
                Issues = issues.ToList(),
            };
        }
    }
}
