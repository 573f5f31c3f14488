namespace Restore.Assessment;

/// <summary>
/// Turns what happened between the versions into verdicts: follows the files that an alarm made
/// suspect until they are good again.
/// </summary>
internal sealed class HistoryAssessor
{
    // A version with fewer before it says so.
    private const int ShortHistory = 4;

    // So much of an alarm must be left for a later version to be suspect for it.
    private const double LeftShare = 0.2;
    private const int LeastLeft = 3;

    private const string Examined =
        "The file lists were examined: names, sizes, times and hashes. No content was read, and this is no virus scanner";

    private readonly ListsInOrder lists;
    private readonly Dictionary<int, Alarm> alarms;
    private readonly Dictionary<int, HashSet<int>> ongoing;
    private readonly FileStates states;

    // The last number of a version in which something happened to a row.
    private readonly int[] lastEvent;

    private HistoryAssessor(ListsInOrder lists, IReadOnlyDictionary<int, Alarm>? inside)
    {
        this.lists = lists;
        alarms = Detector.Find(lists.Transitions);
        foreach ((int version, Alarm found) in inside ?? new Dictionary<int, Alarm>())
        {
            alarms[version] = alarms.TryGetValue(version, out Alarm? known) ? known.With(found) : found;
        }

        ongoing = OngoingAttack.Find(lists.Transitions, alarms);
        states = new FileStates(lists.Table.Count);
        lastEvent = new int[lists.Table.Count];
    }

    /// <param name="inside">What was found in the contents, by the number of the version.</param>
    /// <param name="watched">A path that is followed through the versions; null for none.</param>
    /// <param name="examined">What was examined, if that is more than the lists.</param>
    public static AssessedHistory Assess(
        ListsInOrder lists,
        IReadOnlyDictionary<int, Alarm>? inside = null,
        string? watched = null,
        string? examined = null
    )
    {
        int row = -1;
        if (watched is not null && lists.Table.TryFind(Encoding.UTF8.GetBytes(watched), out int known))
        {
            row = known;
        }

        List<int> suspect = [];
        HistoryAssessor assessor = new(lists, inside);
        List<VersionAssessment> found = [];
        int read = 0;
        foreach (ReadList state in lists.States)
        {
            found.Add(
                state.IsRead
                    ? assessor.Assess(state, lists.Transitions[read++])
                    : new VersionAssessment(
                        state.Version,
                        VersionVerdict.Incomplete,
                        [$"Its list cannot be read: {state.Defect}"]
                    )
            );
            if (row >= 0 && assessor.states.IsSuspect(row) && assessor.states.IsPresent(row))
            {
                suspect.Add(state.Version.Index);
            }
        }

        found.Reverse();
        return new AssessedHistory(
            assessor.Recommend(found, examined ?? Examined),
            lists.Table,
            assessor.states,
            lists.Versions
        )
        {
            WatchedIsSuspect = suspect,
            VersionsLeftOut = lists.VersionsLeftOut,
        };
    }

    private VersionAssessment Assess(ReadList state, Transition seen)
    {
        Alarm? alarm = alarms.GetValueOrDefault(seen.Version);
        HashSet<int>? doubtful = ongoing.GetValueOrDefault(seen.Version);
        states.Begin();
        for (int i = seen.EventsFrom; i < seen.EventsTo; i++)
        {
            FileEvent happened = lists.Log[i];
            happened.IsDoubtful |= happened.Kind == EventKind.Changed && doubtful?.Contains(happened.Row) == true;
            states.Apply(happened, seen.Version, alarm);
            lastEvent[happened.Row] = seen.Version;
        }

        List<string> reasons = [.. alarm?.Reasons ?? [], .. LeftOver(alarm)];
        VersionVerdict verdict = reasons.Count > 0 ? VersionVerdict.Suspect : VersionVerdict.Good;
        if (state.Defect is string defect)
        {
            verdict = reasons.Count > 0 ? verdict : VersionVerdict.Incomplete;
            reasons.Add(defect);
        }
        else if (verdict == VersionVerdict.Good)
        {
            verdict = seen.Version == 0 ? VersionVerdict.Unknown : verdict;
            reasons.Add(Calm(seen));
        }

        if (states.Doubtful > 0)
        {
            reasons.Add(
                $"{Rules.Units(states.Doubtful, "file looks", "files look")} encrypted, emptied or replaced: too few for a verdict, "
                    + "but an older content is taken for a restore of the last good files"
            );
        }

        return new VersionAssessment(state.Version, verdict, reasons)
        {
            Files = seen.Files,
            Bytes = seen.Bytes,
            FilesChanged = seen.Changed,
            FilesAdded = seen.Added,
            FilesRemoved = seen.Removed,
            FilesMoved = seen.Moved,
            FilesSuspect = states.Alarms.Sum(one => one.FilesLeft),
        };
    }

    /// <summary>What older alarms have left in a version.</summary>
    private IEnumerable<string> LeftOver(Alarm? own) =>
        states
            .Alarms.Where(alarm =>
                alarm != own
                && alarm.CoreFiles > 0
                && alarm.CoreLeft >= Math.Max(Math.Min(LeastLeft, alarm.CoreFiles), LeftShare * alarm.CoreFiles)
            )
            .Select(alarm =>
                $"{alarm.CoreLeft:N0} of the {alarm.CoreFiles:N0} files that became suspect in {lists.Versions[alarm.Transition.Version].Name} "
                + "are not as they were before it"
            );

    private static string Calm(Transition seen)
    {
        if (seen.Version == 0)
        {
            return "It is the oldest version: there is nothing to compare it with";
        }

        string changes =
            $"{seen.Changed:N0} files changed, {seen.Added:N0} were added, {seen.Removed:N0} removed and {seen.Moved:N0} moved or renamed, "
            + $"of {seen.FilesBefore:N0}: nothing of it is typical of an accident";
        return seen.Version >= ShortHistory
            ? changes
            : $"{changes}; only {Rules.Units(seen.Version, "version is", "versions are")} older, so little is known of what is usual";
    }

    private BackupAssessment Recommend(List<VersionAssessment> found, string examined)
    {
        VersionAssessment? best =
            found.Find(one => one.Verdict == VersionVerdict.Good)
            ?? found.Find(one => one.Verdict == VersionVerdict.Unknown && one.Files > 0);
        string more =
            lists.Table.LeftOut > 0
                ? $"; {lists.Table.LeftOut:N0} entries were left out because their paths take too much memory"
                : "";
        more +=
            lists.VersionsLeftOut > 0
                ? $"; the oldest {Rules.Units(lists.VersionsLeftOut, "version was", "versions were")} left out because "
                    + "the versions have too many changes"
                : "";
        BackupAssessment assessment = new(found) { Recommended = best?.Index, Examined = examined + more };
        if (best is null)
        {
            return assessment with { Advice = "No version can be recommended: each is suspect or incomplete" };
        }

        int number = lists.Versions.IndexOf(best.Version);
        (long files, long bytes) = NewerThan(number);
        string what =
            best.Verdict == VersionVerdict.Good
                ? "is the newest good one"
                : "is the newest that is neither suspect nor incomplete";
        string loss =
            files == 0
                ? "no newer good file is missing from it"
                : $"newer good content of {Rules.Units(files, "file", "files")} ({bytes:N0} bytes) is missing from it";
        return assessment with
        {
            Advice = $"Version {best.Index} {what}; {loss}",
            FilesOnlyNewer = files,
            BytesOnlyNewer = bytes,
        };
    }

    /// <summary>
    /// Files of the newest version that are good and not so in the recommended one.
    /// </summary>
    private (long Files, long Bytes) NewerThan(int version)
    {
        (long files, long bytes) = (0, 0);
        for (int row = 0; row < lastEvent.Length; row++)
        {
            if (lastEvent[row] > version && states.IsPresent(row) && !states.IsSuspect(row))
            {
                files++;
                bytes = long.CreateSaturating((Int128)bytes + lists.Table[row].SizeBytes);
            }
        }

        return (files, bytes);
    }
}
