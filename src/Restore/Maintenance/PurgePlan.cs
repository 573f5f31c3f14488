using Restore.Catalog.Locating;

namespace Restore.Maintenance;

/// <summary>
/// The entries that a purge would remove from each file list. Making the plan changes nothing.
/// </summary>
public sealed record PurgePlan
{
    /// <summary>
    /// The versions that have entries with lost blocks (blocks that no volume has), newest first.
    /// </summary>
    public IReadOnlyList<PurgedVersion> Versions { get; init; } = [];

    /// <summary>Blocks that entries need and no volume has.</summary>
    public long LostBlocks { get; init; }

    /// <summary>
    /// Of these, the blocklists that an index volume has a copy of. They cause no loss, and a purge
    /// puts them into a volume again.
    /// </summary>
    public long LostListsKnown { get; init; }

    /// <summary>Whether there is anything to do.</summary>
    public bool IsNeeded => LostListsKnown > 0 || Versions.Any(version => version.StaysBecause is null);

    /// <summary>Bytes read from the store.</summary>
    public long BytesFetched { get; init; }

    /// <summary>What is wrong with the backup.</summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];

    /// <summary>What a purge does not repair.</summary>
    internal IReadOnlyList<RestoreIssue> Remaining { get; init; } = [];

    /// <summary>What was found for the plan; null for a plan that a caller made.</summary>
    internal PlanFindings<PurgePlan, ContentStates>? Findings { get; init; }

    /// <summary>Whether another plan does the same.</summary>
    internal bool IsSameAs(PurgePlan other) =>
        (LostBlocks, LostListsKnown, Versions.Count) == (other.LostBlocks, other.LostListsKnown, other.Versions.Count)
        && Versions.Zip(other.Versions).All(pair => pair.First.IsSameAs(pair.Second));
}

/// <summary>A file list that was replaced by a new one.</summary>
/// <param name="Deleted">Name of the deleted file list.</param>
/// <param name="Made">Name of the new file list. Its time is the next second that no other list
/// has.</param>
public sealed record ReplacedFileList(string Deleted, string Made);
