using Restore.Planning.Paths;
using Restore.Planning.Scanning;
using Restore.Resume;

namespace Restore.Restoring;

/// <summary>
/// Keeps the files that stayed damaged when all volumes were read: what is right of a file can be
/// all that is left of it.
/// </summary>
internal sealed class DamagedFiles(
    RestorePlan plan,
    IRestoreTarget target,
    EntryStates states,
    RunRecord record,
    RenameRule renaming,
    FinishingIssues issues
)
{
    private readonly HashSet<string> leftByEarlierRun = [];

    /// <summary>
    /// Whether an earlier restore left the same damaged file, so that this one left none.
    /// </summary>
    public bool WasLeftByEarlierRun(string path) => leftByEarlierRun.Contains(path);

    /// <summary>
    /// A file that stayed damaged gets its path if that is free. It does not replace another file:
    /// then it gets a name next to that one.
    /// </summary>
    public void Keep()
    {
        foreach (EntryId entry in plan.Pass.Included())
        {
            if (
                plan.Pass.WritesFile(entry)
                && states.IsStarted(entry)
                && !states.IsInPlace(entry)
                && FileContext.IsPartial(plan.Pass, plan.Options, entry)
            )
            {
                Keep(entry, plan.Pass.Entries.TargetPath(entry), FileContext.PartialOf(plan.Pass, record, entry));
            }
        }

        foreach (
            (EntryId entry, string place) in states
                .OtherPlaces.Where(place => states.IsInPlace(place.Key))
                .OrderBy(place => place.Key.Value)
        )
        {
            issues.ReportRenamed(entry, place);
        }
    }

    private void Keep(EntryId entry, string path, string partial)
    {
        string place = partial;
        string wanted = path;
        try
        {
            if (target.Inspect(partial).Kind == TargetKind.Nothing)
            {
                return;
            }

            string own = plan.Pass.Entries.OwnPath(entry);

            // Each restore of the same damaged backup would otherwise leave one more copy.
            if (FindSame(partial, own) is string earlier)
            {
                target.DeleteFile(partial);
                leftByEarlierRun.Add(plan.Pass.Content.PathText(entry));
                (place, wanted) = (earlier, own);
            }
            else
            {
                place =
                    renaming.Candidates(path).Prepend(path).FirstOrDefault(name => target.TryPutInPlace(partial, name))
                    ?? partial;
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // It stays under its partial name, and the next run continues it.
            record.KeepAfter(failure);
        }

        if (place != path)
        {
            states.SetPlace(entry, place);
        }

        if (place != wanted)
        {
            string reason =
                $"The damaged file is at {target.Display(place)}; it did not replace the one at {target.Display(wanted)}";
            issues.Report(entry, IssueKind.Warning, reason, IssueCode.DamagedBeside);
        }
    }

    /// <summary>
    /// The file with the same bytes that an earlier restore left at a path, or next to it; null if
    /// no such file exists.
    /// </summary>
    private string? FindSame(string partial, string path) =>
        renaming
            .Candidates(path)
            .Prepend(path)
            .TakeWhile(name => target.Inspect(name).Kind != TargetKind.Nothing)
            .FirstOrDefault(name => SameFiles.AreSame(target, partial, name));
}
