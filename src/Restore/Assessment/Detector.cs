namespace Restore.Assessment;

/// <summary>
/// Finds the versions that differ from the one before them as no other version of the backup does,
/// in a way that accidents do.
/// </summary>
internal sealed class Detector
{
    // With fewer other versions the spread of a number is not known.
    private const int ShortHistory = 3;
    private const double ShortHistoryFactor = 2;

    // An attack that has begun goes on.
    private const double OpenFactor = 0.25;

    // As large as that share of a number counts as the same event.
    private const double SameSize = 0.6;
    private const int Habit = 2;

    private readonly IReadOnlyList<Transition> transitions;
    private readonly Dictionary<Transition, Alarm> alarms = [];

    private Detector(IReadOnlyList<Transition> transitions) => this.transitions = transitions;

    /// <returns>The alarms by the number of the version.</returns>
    public static Dictionary<int, Alarm> Find(IReadOnlyList<Transition> transitions)
    {
        Detector detector = new([.. transitions.Where(one => one.Version > 0)]);
        foreach (Transition seen in detector.transitions)
        {
            detector.Judge(seen);
        }

        foreach (Alarm alarm in new SlowAttack(detector.transitions).Find(detector.alarms).ToArray())
        {
            detector.alarms.Add(alarm.Transition, alarm);
        }

        return detector.alarms.Values.ToDictionary(alarm => alarm.Transition.Version);
    }

    private void Judge(Transition seen)
    {
        List<string> reasons = [];
        Signs hits = Signs.None;
        Signs core = Signs.None;
        bool saysNote = false;
        long growth = 0;
        foreach (Rule rule in Rules.All)
        {
            if (IsAlarm(rule, seen, out Usual usual))
            {
                hits |= rule.Hits;
                core |= rule.Core;
                saysNote |= rule.Sign == Signs.Note;
                growth = rule.Sign == Signs.SameGrowth ? seen.GrowthFrom : growth;
                string history =
                    transitions.Count <= 1 ? "" : $" (usual in this backup: at most {Math.Ceiling(usual.Most):N0})";
                reasons.Add(rule.Text(seen) + history);
            }
        }

        if (seen.Files == 0 && seen.FilesBefore > 0 && hits == Signs.None)
        {
            hits = Signs.Vanished | Signs.AnyLoss;
            core = Signs.AnyLoss;
            reasons.Add($"The version has no files; the one before it has {seen.FilesBefore:N0}");
        }

        if (reasons.Count == 0)
        {
            return;
        }

        if (seen[Signs.Note] > 0 && !saysNote)
        {
            reasons.Add($"The same new file {seen.Details[Signs.Note]} is in {seen[Signs.Note]:N0} folders");
        }

        alarms.Add(seen, new Alarm(seen, hits, reasons) { Core = core, GrowthFrom = growth });
    }

    private bool IsAlarm(Rule rule, Transition seen, out Usual usual)
    {
        if (rule.IsExcusedByOneKind && (seen.OneKind & rule.Sign) != 0 && seen[Signs.Note] == 0)
        {
            usual = default;
            return false;
        }

        int count = seen[rule.Sign];
        usual = UsualOf(seen, other => (other.OneKind & rule.Sign) != 0 ? 0 : other[rule.Sign]);
        double factor =
            IsOpen(rule, seen) ? OpenFactor
            : transitions.Count <= ShortHistory ? ShortHistoryFactor
            : 1;
        if (count < rule.Least(seen.Steady, factor) || count <= usual.Most || !rule.If(seen))
        {
            return false;
        }

        if ((seen.GrowthIsExact ? rule.MostOthersIfExact ?? rule.MostOthers : rule.MostOthers) is double most)
        {
            Usual others = UsualOf(seen, other => other[Signs.AnyChange] - other[rule.Sign]);
            double excess = seen[Signs.AnyChange] - count - others.Median;
            if (excess > most * (count - usual.Median))
            {
                return false;
            }
        }

        return !rule.IsExcusedByHabit || !IsHabit(rule, seen);
    }

    private bool IsOpen(Rule rule, Transition seen) =>
        transitions.Any(other =>
            other.Version == seen.Version - 1
            && alarms.TryGetValue(other, out Alarm? alarm)
            && (alarm.Hits & rule.Hits) == rule.Hits
        );

    /// <summary>
    /// What is usual in the other versions, older and newer, for as many files as this one has.
    /// </summary>
    private Usual UsualOf(Transition seen, Func<Transition, int> number) =>
        Usual.Of([
            .. transitions
                .Where(other => other != seen && other.Steady > 0)
                .Select(other => (double)number(other) * seen.Steady / other.Steady),
        ]);

    /// <summary>Whether the same happened in older versions that are no alarm.</summary>
    private bool IsHabit(Rule rule, Transition seen)
    {
        double share = Share(seen) * SameSize;
        return transitions.Count(other =>
                other.Version < seen.Version
                && (other.OneKind & rule.Sign) == 0
                && !alarms.ContainsKey(other)
                && Share(other) >= share
            ) >= Habit;

        double Share(Transition one) => one.Steady == 0 ? 0 : (double)one[rule.Sign] / one.Steady;
    }
}
