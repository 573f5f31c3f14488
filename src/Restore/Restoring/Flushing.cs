using Restore.Planning.Scanning;

namespace Restore.Restoring;

/// <summary>
/// Waits until the device has what was written. If it did not take all, everything that the run wrote is doubtful: a file system that could not write its
/// journal loses files whose own data arrived. Files of which the system knows that they lost data are named; the page cache still shows their content.
/// </summary>
internal sealed class Flushing(RestorePlan plan, IRestoreTarget target, EntryStates states)
{
    /// <returns>What is doubtful; empty if the device has everything.</returns>
    public IReadOnlyList<RestoreIssue> Flush()
    {
        if (target.Flush() is not string failure)
        {
            return [];
        }

        EntryPlans entries = plan.Pass.Entries;
        EntryId[] written = [.. plan.Pass.Included().Where(entry =>
            states.IsStarted(entry) && plan.Pass.Content.IsFile(entry) && !entries.IsShared(entry))];
        string place = target.Display("");
        List<RestoreIssue> doubtful =
            [Doubtful(place, place, $"The device failed while it took the files: all {written.Length:N0} files of this restore are doubtful ({failure})")];
        foreach (EntryId entry in written)
        {
            string path = states.PlaceOf(entry) ?? entries.TargetPath(entry);
            if (target.FlushFile(path) is string reason)
            {
                doubtful.Add(Doubtful(plan.Pass.Content.PathText(entry), target.Display(path), $"The device lost data of the file: {reason}"));
            }
        }

        return doubtful;
    }

    private static RestoreIssue Doubtful(string path, string targetPath, string reason) =>
        new(IssueKind.Doubtful, path, reason) { TargetPath = targetPath, Code = IssueCode.NotFlushed };
}

/// <summary>
/// Reads all restored files again when the device has them, and compares their hashes. Where the system can, the files are dropped from the page
/// cache before, so that the bytes come from the device.
/// </summary>
internal sealed class DeviceCheck(RestorePlan plan, IRestoreTarget target, BufferPool pool)
{
    /// <param name="report">The report of the run. Files that it has as lost are left out.</param>
    public RestoreReport Check(RestoreReport report, CancellationToken cancellationToken)
    {
        VersionContent content = plan.Pass.Content;
        HashSet<string> known = [.. report.Issues.Where(issue => issue.Kind is not IssueKind.Warning and not IssueKind.Metadata).Select(issue => issue.Path)];
        Dictionary<string, string> renamed = report.Issues.Where(issue => issue is { Code: IssueCode.Renamed, TargetPath: not null })
            .GroupBy(issue => issue.Path).ToDictionary(issues => issues.Key, issues => Path.GetRelativePath(target.Display(""), issues.First().TargetPath!));
        List<RestoreIssue> doubtful = [];
        using FileHasher hasher = new(content.Layout.FileHash, pool);
        foreach (EntryId entry in plan.Pass.Included().Where(entry => content.IsFile(entry) && !plan.Pass.Entries.IsShared(entry)))
        {
            cancellationToken.ThrowIfCancellationRequested();
            string path = content.PathText(entry);
            string place = renamed.GetValueOrDefault(path) ?? plan.Pass.Entries.TargetPath(entry);
            if (!known.Contains(path) && Problem(entry, place, hasher) is { } problem)
            {
                doubtful.Add(new RestoreIssue(IssueKind.Doubtful, path, problem) { TargetPath = target.Display(place), Code = IssueCode.NotFlushed });
            }
        }

        return doubtful.Count == 0 ? report : report with
        {
            FilesRestored = report.FilesRestored - doubtful.Count,
            Issues = [.. report.Issues.Concat(doubtful).OrderBy(issue => issue.Kind).ThenBy(issue => issue.Path, StringComparer.Ordinal)],
        };
    }

    private string? Problem(EntryId entry, string place, FileHasher hasher)
    {
        try
        {
            VersionContent content = plan.Pass.Content;
            using ITargetFile file = target.OpenFile(place, TargetOpenMode.Read);
            file.DropCache();
            return file.Length == content.SizeOf(entry) && hasher.Matches(file, content, content.Entries[entry].Content)
                ? null
                : "The file was restored and verified, but what the device returns is not the recorded content";
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return $"The file was restored, but cannot be read again: {failure.Reason()}";
        }
    }
}
