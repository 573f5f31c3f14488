namespace Restore.Restoring;

/// <summary>
/// Waits until the device has what was written. If the device did not take everything, all files
/// that the run wrote are doubtful: a file system that could not write its journal loses files even
/// if their own data arrived. If the system knows which files lost data, these files are named; the
/// page cache still shows their content.
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
        EntryId[] written =
        [
            .. plan
                .Pass.Included()
                .Where(entry => states.IsStarted(entry) && plan.Pass.Content.IsFile(entry) && !entries.IsShared(entry)),
        ];
        string place = target.Display("");
        List<RestoreIssue> doubtful =
        [
            Doubtful(
                place,
                place,
                $"The device failed while it took the files: all {written.Length:N0} files of this restore are doubtful ({failure})"
            ),
        ];
        foreach (EntryId entry in written)
        {
            string path = states.PlaceOf(entry) ?? entries.TargetPath(entry);
            if (target.FlushFile(path) is string reason)
            {
                doubtful.Add(
                    Doubtful(
                        plan.Pass.Content.PathText(entry),
                        target.Display(path),
                        $"The device lost data of the file: {reason}"
                    )
                );
            }
        }

        return doubtful;
    }

    private static RestoreIssue Doubtful(string path, string targetPath, string reason) =>
        new(IssueKind.Doubtful, path, reason) { TargetPath = targetPath, Code = IssueCode.NotFlushed };
}
