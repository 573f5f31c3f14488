using Restore.Restoring;

namespace Restore;

/// <content>Lost files in other versions.</content>
public partial class Backup
{
    private const int MaxSought = 10_000;

    /// <summary>
    /// Looks for other versions in which the files that a report has as lost are whole, nearest in
    /// time first. The files are fetched and verified there; nothing is written. Of a restore of
    /// last good files, only versions older than the last good one of a file count: a newer one can
    /// have what an attack made of it.
    /// </summary>
    /// <param name="report">The report of a restore or drill of this backup.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The files found. Only the first 10,000 lost files are looked for.</returns>
    /// <exception cref="RestoreException">The store is lost.</exception>
    public virtual async Task<IReadOnlyList<WholeFile>> FindWholeAsync(
        RestoreReport report,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(report);
        // By path: the number above which a version counts; -1 if all do.
        Dictionary<string, int> sought = [];
        foreach (
            RestoreIssue issue in report.Issues.Where(issue =>
                issue.Kind is IssueKind.Damaged or IssueKind.Missing && issue.LostRanges.Count > 0
            )
        )
        {
            if (sought.Count < MaxSought || sought.ContainsKey(issue.Path))
            {
                int after = report.Sources is null ? -1 : issue.Versions?.Oldest ?? report.Version.Index;
                sought[issue.Path] = Math.Max(after, sought.GetValueOrDefault(issue.Path, -1));
            }
        }

        List<WholeFile> found = [];
        IEnumerable<BackupVersion> nearest = Versions.OrderBy(version =>
            (version.Time - report.Version.Time).Duration()
        );
        foreach (BackupVersion version in nearest.Where(version => version != report.Version))
        {
            string[] here = [.. sought.Where(file => version.Index > file.Value).Select(file => file.Key)];
            if (here.Length == 0)
            {
                continue;
            }

            foreach (string path in await FindWholeAsync(version, here, cancellationToken).ConfigureAwait(false))
            {
                sought.Remove(path);
                found.Add(new WholeFile(path, version));
            }
        }

        return found;
    }

    /// <summary>
    /// Adds what <see cref="FindWholeAsync(RestoreReport, CancellationToken)"/> finds. The restore is
    /// done, and only the report says what is lost: a failure of the search is a warning.
    /// </summary>
    private async Task<RestoreReport> WithWholeAsync(RestoreReport report, CancellationToken cancellationToken)
    {
        try
        {
            return report with
            {
                WholeElsewhere = await FindWholeAsync(report, cancellationToken).ConfigureAwait(false),
            };
        }
        catch (Exception failure) when (failure is RestoreException or IOException)
        {
            string reason = $"Other versions could not be searched for lost files: {failure.Reason()}";
            return report with { Issues = [.. report.Issues, new RestoreIssue(IssueKind.Warning, Location, reason)] };
        }
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
