namespace Restore.Writing.Source;

/// <summary>
/// Finds which rule of a filter decides about an entry, for people who ask. Not safe for concurrent
/// use.
/// </summary>
internal sealed class DecidingRule(EntryFilter filter)
{
    private readonly (FilterRule Rule, EntryFilter Alone)[] rules =
    [
        .. (filter.Given ?? []).Select(rule => (rule, EntryFilter.ForBackup([rule]))),
    ];

    /// <summary>The first rule that matches, as text; null if none does.</summary>
    public string? Of(string path)
    {
        foreach ((FilterRule rule, EntryFilter alone) in rules)
        {
            if (alone.Decide(path) is not null)
            {
                return $"{(rule.Include ? "include" : "exclude")} '{rule.Expression}'";
            }
        }

        return null;
    }
}
