using Restore.Ends.Unix;

namespace Restore.Restoring;

/// <summary>
/// Counts the extended attributes that a restore never sets, if permissions are restored. A system
/// with security labels has one on every file, so there is one issue for each name. Safe for
/// concurrent use.
/// </summary>
internal sealed class LeftOutAttributes(RestorePlan plan)
{
    // Names come from the backup.
    private const int MaxNames = 20;

    private readonly Lock gate = new();
    private readonly SortedDictionary<string, (EntryId First, long Count)> entriesByName = new(StringComparer.Ordinal);

    public void Note(EntryId entry, EntryMetadata metadata)
    {
        if (!plan.Options.RestorePermissions)
        {
            return;
        }

        foreach ((string name, _) in metadata.ExtendedAttributes)
        {
            if (AttributeNames.IsPrivileged(name))
            {
                Add(entry, name);
            }
        }
    }

    public IEnumerable<RestoreIssue> ToIssues()
    {
        lock (gate)
        {
            return
            [
                .. entriesByName.Select(attribute => new RestoreIssue(
                    IssueKind.Warning,
                    plan.Pass.Content.PathText(attribute.Value.First),
                    $"The extended attribute '{attribute.Key}' is never set, as it may give rights ({attribute.Value.Count:N0} in all; this is the first)"
                )),
            ];
        }
    }

    public IReadOnlyList<LeftOutAttribute> ToList()
    {
        lock (gate)
        {
            return
            [
                .. entriesByName.Select(attribute => new LeftOutAttribute(
                    attribute.Key,
                    attribute.Value.First,
                    attribute.Value.Count
                )),
            ];
        }
    }

    /// <summary>Adds what another part of a split plan has counted.</summary>
    public void Add(EntryId entry, string name, long count = 1)
    {
        lock (gate)
        {
            if (entriesByName.TryGetValue(name, out (EntryId First, long Count) known))
            {
                entriesByName[name] = (known.First, known.Count + count);
            }
            else if (entriesByName.Count < MaxNames)
            {
                entriesByName.Add(name, (entry, count));
            }
        }
    }
}

/// <summary>
/// An attribute that was not set, the first entry that has it, and how many have it.
/// </summary>
internal sealed record LeftOutAttribute(string Name, int First, long Count);
