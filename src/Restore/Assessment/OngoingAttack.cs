namespace Restore.Assessment;

/// <summary>
/// Files that became longer by the same bytes as those of an attack in an older version, or of a slow
/// one: too few in their version, but the attack is known.
/// </summary>
internal static class OngoingAttack
{
    // Edits add fewer bytes.
    private const int LeastBytes = 128;

    // What a slow attack did before it was seen.
    private const int Before = 10;
    private const int After = 10;

    /// <returns>The rows by the number of the version.</returns>
    public static Dictionary<int, HashSet<int>> Find(
        IReadOnlyList<Transition> transitions,
        IReadOnlyDictionary<int, Alarm> alarms
    )
    {
        Dictionary<int, HashSet<int>> found = [];
        foreach (IGrouping<long, Alarm> attack in alarms.Values.GroupBy(alarm => alarm.GrowthFrom))
        {
            if (attack.Key < LeastBytes)
            {
                continue;
            }

            int first = attack.Min(alarm => alarm.Transition.Version);
            int last = attack.Max(alarm => alarm.Transition.Version);
            bool isSlow = attack.Skip(1).Any();
            foreach (Transition seen in transitions)
            {
                if (seen.Version < first - (isSlow ? Before : 0) || seen.Version > last + After)
                {
                    continue;
                }

                int[] rows = [.. seen.Growths.Where(one => Growth.IsIn(one.Bytes, attack.Key)).Select(one => one.Row)];
                if (rows.Length > 0)
                {
                    (CollectionsMarshal.GetValueRefOrAddDefault(found, seen.Version, out _) ??= []).UnionWith(rows);
                }
            }
        }

        return found;
    }
}
