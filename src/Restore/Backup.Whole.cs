using Restore.Restoring;

namespace Restore;

/// <content>Lost files in other versions.</content>
public partial class Backup
{
    private const int MaxSought = 10_000;

    /// <summary>
    /// Looks for other versions in which the files that a report has as lost are whole, nearest in
    /// time first. The files are fetched and verified there; nothing is written.
    /// </summary>
    /// <param name="report">The report of a restore or drill of one version of this backup.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The files found. Only the first 10,000 lost files are looked for.</returns>
    /// <exception cref="RestoreException">The store is lost.</exception>
    public virtual async Task<IReadOnlyList<WholeFile>> FindWholeAsync(
        RestoreReport report,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(report);
        HashSet<string> sought =
        [
            .. report
                .Issues.Where(issue =>
                    issue.Kind is IssueKind.Damaged or IssueKind.Missing && issue.LostRanges.Count > 0
                )
                .Select(issue => issue.Path)
                .Distinct()
                .Take(MaxSought),
        ];
        List<WholeFile> found = [];
        foreach (BackupVersion version in Versions.OrderBy(version => (version.Time - report.Version.Time).Duration()))
        {
            if (version == report.Version)
            {
                continue;
            }

            if (sought.Count == 0)
            {
                break;
            }

            foreach (string path in await FindWholeAsync(version, sought, cancellationToken).ConfigureAwait(false))
            {
                sought.Remove(path);
                found.Add(new WholeFile(path, version));
            }
        }

        return found;
    }

    /// <returns>The paths of the files that the version has whole.</returns>
    private async Task<IReadOnlyList<string>> FindWholeAsync(
        BackupVersion version,
        IEnumerable<string> paths,
        CancellationToken cancellationToken
    )
    {
        try
        {
            RestoreOptions options = new()
            {
                VerifyOnly = true,
                SkipMetadata = true,
                Filter = EntryFilter.Exactly(paths),
            };
            RestorePlan plan = await PlanAsync(version, options, execution: null, cancellationToken)
                .ConfigureAwait(false);
            RestoreRun run = new(new Execution(Session, new ExecuteOptions()), plan, StartMeter(null));
            RestoreReport report = await run.RunAsync(cancellationToken).ConfigureAwait(false);
            HashSet<string> notWhole = [.. report.Issues.Select(issue => issue.Path)];
            VersionContent content = plan.Pass.Content;
            return
            [
                .. plan
                    .Pass.Included()
                    .Where(content.IsFile)
                    .Select(content.PathText)
                    .Where(path => !notWhole.Contains(path))
                    .Distinct(),
            ];
        }
        catch (RestoreException failure)
            when (failure.Code == RestoreErrorCode.NothingSelected || FileListReading.IsUnusable(failure))
        {
            return [];
        }
    }
}
