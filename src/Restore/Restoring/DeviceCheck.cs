using Restore.Planning.Scanning;

namespace Restore.Restoring;

/// <summary>
/// Reads all restored files again when the device has them, and compares their hashes. Where the
/// system can, the files are dropped from the page cache before, so that the bytes come from the
/// device.
/// </summary>
internal sealed class DeviceCheck(RestorePlan plan, IRestoreTarget target, BufferPool pool)
{
    /// <param name="report">The report of the run. Files that the report lists as lost are left
    /// out.</param>
    public RestoreReport Check(RestoreReport report, CancellationToken cancellationToken)
    {
        VersionContent content = plan.Pass.Content;
        HashSet<string> known =
        [
            .. report
                .Issues.Where(issue => issue.Kind is not IssueKind.Warning and not IssueKind.Metadata)
                .Select(issue => issue.Path),
        ];
        Dictionary<string, string> renamed = report
            .Issues.Where(issue => issue is { Code: IssueCode.Renamed, TargetPath: not null })
            .GroupBy(issue => issue.Path)
            .ToDictionary(
                issues => issues.Key,
                issues => Path.GetRelativePath(target.Display(""), issues.First().TargetPath!)
            );
        List<RestoreIssue> doubtful = [];
        using FileHasher hasher = new(content.Layout.FileHash, pool);
        foreach (
            EntryId entry in plan
                .Pass.Included()
                .Where(entry => content.IsFile(entry) && !plan.Pass.Entries.IsShared(entry))
        )
        {
            cancellationToken.ThrowIfCancellationRequested();
            string path = content.PathText(entry);
            string place = renamed.GetValueOrDefault(path) ?? plan.Pass.Entries.TargetPath(entry);
            if (!known.Contains(path) && Problem(entry, place, hasher) is { } problem)
            {
                doubtful.Add(
                    new RestoreIssue(IssueKind.Doubtful, path, problem)
                    {
                        TargetPath = target.Display(place),
                        Code = IssueCode.NotFlushed,
                    }
                );
            }
        }

        return doubtful.Count == 0
            ? report
            : report with
            {
                FilesRestored = report.FilesRestored - doubtful.Count,
                Issues =
                [
                    .. report
                        .Issues.Concat(doubtful)
                        .OrderBy(issue => issue.Kind)
                        .ThenBy(issue => issue.Path, StringComparer.Ordinal),
                ],
            };
    }

    private string? Problem(EntryId entry, string place, FileHasher hasher)
    {
        try
        {
            VersionContent content = plan.Pass.Content;
            using ITargetFile file =
                (
                    target.MayHaveStreams && target.TryInspect(place).Kind == TargetKind.Nothing
                        ? StreamPlaces.TryOpen(target, plan.Pass.Entries.Paths, content.PathText(entry))
                        : null
                ) ?? target.OpenFile(place, TargetOpenMode.Read);
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
