namespace Restore.Diff;

/// <summary>
/// Keeps the entries of the older version, and the entries of the newer version that differ. First
/// all entries of the older version are added, then all entries of the newer one.
/// </summary>
internal sealed class VersionComparison(IssueLog issues)
{
    private readonly ComparedEntries before = new();
    private readonly ComparedEntries after = new();

    // What differs in the newer one, each with its number in the older one if it is there.
    private readonly List<(int? Before, int? After, EntryChange Change)> differences = [];

    public void AddOlder(EntryInList entry) => Add(before, entry);

    public void AddNewer(EntryInList entry)
    {
        bool isKnown = before.TryFind(entry.Path, out int known);
        bool isFirst = !isKnown || !before[known].IsMet;
        EntryChange? change = isKnown ? before.ChangeTo(known, entry) : EntryChange.Added;
        if (isKnown)
        {
            before[known].IsMet = true;
        }

        if (isFirst && change is EntryChange differs && Add(after, entry))
        {
            differences.Add((isKnown ? known : null, after.Count - 1, differs));
        }
    }

    public IEnumerable<EntryDifference> Differences()
    {
        differences.AddRange(
            Enumerable
                .Range(0, before.Count)
                .Where(entry => !before[entry].IsMet)
                .Select(entry => ((int?)entry, (int?)null, EntryChange.Removed))
        );
        byte[][] paths =
        [
            .. differences.Select(found =>
                found.After is int newer ? after.PathOf(newer) : before.PathOf(found.Before!.Value)
            ),
        ];
        int[] order = [.. Enumerable.Range(0, paths.Length)];
        Array.Sort(order, (left, right) => paths[left].AsSpan().SequenceCompareTo(paths[right]));
        return order.Select(place => new EntryDifference(
            Encoding.UTF8.GetString(paths[place]),
            differences[place].Change,
            differences[place].Before is int older ? before.StateOf(older) : null,
            differences[place].After is int newer ? after.StateOf(newer) : null
        ));
    }

    private bool Add(ComparedEntries entries, in EntryInList entry)
    {
        if (entries.TryFind(entry.Path, out _))
        {
            return false;
        }

        bool isTaken = entries.TryAdd(entry);
        if (!isTaken)
        {
            issues.Add(PathBudget.Refusal(entry.Path));
        }

        return isTaken;
    }
}
