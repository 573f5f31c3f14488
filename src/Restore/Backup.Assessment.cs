using Restore.Assessment;

namespace Restore;

/// <content>Which version is good.</content>
public partial class Backup
{
    private const string Partial = "It is partial: its backup was stopped or took no file, so it may lack files";

    /// <summary>
    /// Assesses the versions by their file lists: whether each is complete, and whether what
    /// changed in it is typical of malware or of an accident and unusual for this backup. Reads
    /// nothing else. Holds all paths of all versions in memory: about 150 bytes and the name for
    /// each.
    /// </summary>
    /// <param name="options">What to look at; null for everything.</param>
    /// <param name="progress">Receives how many versions have been read.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The verdicts, with their reasons, and one recommendation. An assessment is not a
    /// virus scan: see <see cref="BackupAssessment.Examined"/>.</returns>
    /// <exception cref="RestoreException">The passphrase is wrong, or the store is
    /// lost.</exception>
    public virtual async Task<BackupAssessment> AssessAsync(
        AssessOptions? options = null,
        IProgress<int>? progress = null,
        CancellationToken cancellationToken = default
    ) =>
        (
            await AssessHistoryAsync(options ?? new AssessOptions(), progress, cancellationToken).ConfigureAwait(false)
        ).Assessment;

    /// <summary>
    /// Makes one plan that restores each file from the newest version in which it is not suspect:
    /// what an accident or an attack changed or removed comes from the version before it,
    /// everything else from the newest. Files that only suspect versions have are left out, each
    /// with an issue.
    /// </summary>
    /// <param name="options">What and where.</param>
    /// <param name="assessment">Which versions count; null for all.</param>
    /// <param name="withSuspect">Whether files that only suspect versions have are restored too,
    /// with <c>.suspect</c> at the end of their names.</param>
    /// <param name="execution">How to scan and read; a plan does not contain it.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The plan; <see cref="RestorePlan.Sources"/> says which file comes from which
    /// version.</returns>
    /// <exception cref="RestoreException">As of <see
    /// cref="PlanAsync(BackupVersion, RestoreOptions, ExecuteOptions?, CancellationToken)"/> and
    /// <see cref="AssessAsync"/>.</exception>
    public virtual async Task<RestorePlan> PlanLastGoodAsync(
        RestoreOptions options,
        AssessOptions? assessment = null,
        bool withSuspect = false,
        ExecuteOptions? execution = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(options);
        AssessedHistory history = await AssessReadableAsync(assessment ?? new AssessOptions(), cancellationToken)
            .ConfigureAwait(false);
        return await RestoreTelemetry
            .WatchAsync(
                "Plan",
                _ =>
                    MakePlanAsync(
                        options,
                        execution ?? new ExecuteOptions(),
                        builder =>
                            builder.BuildAsync(
                                (filter, observe, report) =>
                                    new LastGoodContent(history, observe, report)
                                    {
                                        TakesSuspect = withSuspect,
                                    }.ReadAsync(Session.Catalog, filter, cancellationToken),
                                Versions,
                                cancellationToken
                            ),
                        cancellationToken
                    )
            )
            .ConfigureAwait(false);
    }

    internal async Task<AssessedHistory> AssessHistoryAsync(
        AssessOptions options,
        IProgress<int>? progress,
        CancellationToken cancellationToken,
        string? watched = null
    )
    {
        BackupVersion[] counted = [.. Versions.Where(IsCounted).Take(options.Newest ?? int.MaxValue)];
        ListsInOrder lists = await ReadInOrderAsync(counted, options, progress, cancellationToken)
            .ConfigureAwait(false);
        if (lists.States.Count == 0)
        {
            throw NoVersion("There is no version to assess");
        }

        return options.LooksInside
            ? await AssessInsideAsync(lists, options, watched, cancellationToken).ConfigureAwait(false)
            : HistoryAssessor.Assess(lists, watched: watched);

        bool IsCounted(BackupVersion version) =>
            !options.ExcludedVersions.Contains(version.Index)
            && (options.Before is not DateTimeOffset before || version.Time < before)
            && HasFileList(version);
    }

    /// <summary>
    /// Reads the lists of the versions, oldest first; if they have more changes than can be held,
    /// only of the newer half.
    /// </summary>
    private async Task<ListsInOrder> ReadInOrderAsync(
        BackupVersion[] newest,
        AssessOptions options,
        IProgress<int>? progress,
        CancellationToken cancellationToken
    )
    {
        int count = newest.Length;
        while (true)
        {
            ListsInOrder lists = new() { VersionsLeftOut = newest.Length - count, MaxChanges = options.MaxChanges };
            foreach (BackupVersion version in newest.Take(count).Reverse().TakeWhile(_ => !lists.IsFull || count <= 2))
            {
                await lists
                    .AddAsync(version, receive => PassAsync(version, options.Filter, receive, cancellationToken))
                    .ConfigureAwait(false);
                progress?.Report(lists.States.Count);
            }

            if (lists.States.Count == count)
            {
                return lists;
            }

            count = Math.Max(2, count / 2);
        }
    }

    /// <returns>What is wrong with the list; null if it is whole.</returns>
    private async Task<string?> PassAsync(
        BackupVersion version,
        EntryFilter filter,
        Action<EntryInList> receive,
        CancellationToken cancellationToken
    )
    {
        IssueLog issues = new();
        try
        {
            await Session.Catalog.PassAsync(version, filter, receive, issues, cancellationToken).ConfigureAwait(false);
        }
        catch (RestoreException failure) when (FileListReading.IsUnusable(failure))
        {
            return failure.What;
        }

        Log.Issues(Session.Logger, issues.ToList());
        return issues.FirstOrDefault(issue => issue.Code == IssueCode.FileListIncomplete)?.Reason
            ?? (issues.HasPartialList ? Partial : null);
    }
}
