using Restore.Assessment;
using Restore.Streams;

namespace Restore;

/// <content>The last good version of each file, as one content.</content>
public partial class Backup
{
    /// <summary>
    /// Lists each file as the newest version has it in which it is not suspect, with the folders, in
    /// the order of a file list.
    /// </summary>
    /// <param name="assessment">Which versions count, and what is looked at; null for all.</param>
    /// <param name="filter">Selects entries; null selects all.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The entries with their versions.</returns>
    /// <exception cref="RestoreException">As of <see cref="PlanLastGoodAsync"/>.</exception>
    public virtual async IAsyncEnumerable<(BackupEntry Entry, BackupVersion Version)> ListLastGoodAsync(
        AssessOptions? assessment = null,
        EntryFilter? filter = null,
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        VersionContent content = await ReadLastGoodAsync(
                assessment ?? new AssessOptions(),
                filter ?? EntryFilter.All,
                cancellationToken
            )
            .ConfigureAwait(false);
        Log.Issues(Session.Logger, content.Issues.ToList());
        foreach (EntryId entry in EntryId.UpTo(content.Entries.Count))
        {
            yield return (ListedEntries.Of(content, entry), Versions[content.Spans[entry].Newest]);
        }

        RequireComplete(content.Issues.ToList());
    }

    /// <summary>
    /// Opens the last good content of each file as one tree. Reads all file lists.
    /// </summary>
    /// <param name="memory">Keeps the blocks of files.</param>
    /// <param name="cancellationToken">Cancels the opening.</param>
    /// <returns>The tree; dispose it before the backup.</returns>
    /// <exception cref="RestoreException">As of <see cref="PlanLastGoodAsync"/>.</exception>
    public virtual Task<BackupTree> OpenLastGoodTreeAsync(
        BlockMemory memory,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(memory);
        return OpenLastGoodTreeAsync(new AssessOptions(), memory, paths: null, cancellationToken);
    }

    internal Task<BackupTree> OpenLastGoodTreeAsync(
        AssessOptions assessment,
        BlockMemory memory,
        PathTree? paths,
        CancellationToken cancellationToken
    ) =>
        RestoreTelemetry.WatchAsync(
            "OpenLastGoodTree",
            _ =>
                BackupTree.OpenAsync(
                    cancellation => ReadLastGoodAsync(assessment, EntryFilter.All, cancellation),
                    null,
                    OpenAccess,
                    memory,
                    paths,
                    cancellationToken
                )
        );

    /// <summary>In which versions a file is suspect, as it is there.</summary>
    /// <param name="path">The full original path.</param>
    /// <param name="assessment">Which versions count, and what is looked at; null for all.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>Numbers of versions (<see cref="BackupVersion.Index"/>).</returns>
    /// <exception cref="RestoreException">As of <see cref="AssessAsync"/>.</exception>
    public virtual async Task<IReadOnlyCollection<int>> FindSuspectVersionsAsync(
        string path,
        AssessOptions? assessment = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        AssessedHistory history = await AssessHistoryAsync(
                assessment ?? new AssessOptions(),
                progress: null,
                cancellationToken,
                path
            )
            .ConfigureAwait(false);
        return history.WatchedIsSuspect;
    }

    private async Task<AssessedHistory> AssessReadableAsync(
        AssessOptions assessment,
        CancellationToken cancellationToken
    )
    {
        AssessedHistory history = await AssessHistoryAsync(assessment, progress: null, cancellationToken)
            .ConfigureAwait(false);
        return history.Versions.Count > 0 ? history : throw NoVersion("No version can be read");
    }

    private async Task<VersionContent> ReadLastGoodAsync(
        AssessOptions assessment,
        EntryFilter filter,
        CancellationToken cancellationToken
    )
    {
        AssessedHistory history = await AssessReadableAsync(assessment, cancellationToken).ConfigureAwait(false);
        List<RestoreIssue> issues = [];
        VersionContent content = await new LastGoodContent(history, (_, _, _) => { }, issues.Add)
            .ReadAsync(Session.Catalog, filter, cancellationToken)
            .ConfigureAwait(false);
        content.Issues.AddRange(issues);
        return content;
    }

    private async Task<BlockSource> OpenLastGoodSourceAsync(
        AssessOptions assessment,
        EntryFilter filter,
        IssueLog issues,
        long cacheBytes,
        RestorePause? pause,
        CancellationToken cancellationToken
    )
    {
        VersionContent content = await ReadLastGoodAsync(assessment, filter, cancellationToken).ConfigureAwait(false);
        issues.AddRange(content.Issues);
        return await OpenAccess(indexes: null, pause)
            .LocateAsync(
                content,
                withMetadata: true,
                issues,
                new BlockCache(Session.Pool, cacheBytes),
                cancellationToken
            )
            .ConfigureAwait(false);
    }
}
