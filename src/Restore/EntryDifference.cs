namespace Restore;

/// <summary>How an entry differs between two sides.</summary>
public enum EntryChange
{
    /// <summary>Only the newer side has it.</summary>
    Added,

    /// <summary>Only the older side has it.</summary>
    Removed,

    /// <summary>Its content, its kind, or the target of a link differs. Lists tell a link's target and its other metadata apart by one hash only.</summary>
    Changed,

    /// <summary>The content is the same; times, mode, owner or attributes differ. On a disk, times alone are compared.</summary>
    Metadata,
}

/// <summary>An entry that differs between two versions, or between a version and a folder.</summary>
/// <param name="Path">Its original path. For an entry that only a folder has: its path there, relative to the folder.</param>
/// <param name="Change">How it differs.</param>
/// <param name="Older">Its state in the older version, or in the version that a folder is compared with; null if it is not there.</param>
/// <param name="Newer">Its state in the newer version, or in the folder; null if it is not there, or cannot be read in the folder.</param>
public sealed record EntryDifference(string Path, EntryChange Change, EntryState? Older, EntryState? Newer);

/// <summary>Totals of a comparison. Add the differences one by one; not safe for concurrent use.</summary>
public sealed class DifferenceTotals
{
    /// <summary>Entries that only the newer side has.</summary>
    public long Added { get; private set; }

    /// <summary>Entries that only the older side has.</summary>
    public long Removed { get; private set; }

    /// <summary>Entries that changed.</summary>
    public long Changed { get; private set; }

    /// <summary>Entries of which only metadata changed.</summary>
    public long Metadata { get; private set; }

    /// <summary>Length of the files that were added, and of the changed ones as they are now.</summary>
    public long BytesNew { get; private set; }

    /// <summary>Length of the files that were removed, and of the changed ones as they were.</summary>
    public long BytesOld { get; private set; }

    /// <summary>Whether anything differs.</summary>
    public bool Any => Added + Removed + Changed + Metadata > 0;

    /// <summary>Counts a difference.</summary>
    public void Add(EntryDifference difference)
    {
        ArgumentNullException.ThrowIfNull(difference);
        Added += difference.Change == EntryChange.Added ? 1 : 0;
        Removed += difference.Change == EntryChange.Removed ? 1 : 0;
        Changed += difference.Change == EntryChange.Changed ? 1 : 0;
        Metadata += difference.Change == EntryChange.Metadata ? 1 : 0;
        if (difference.Change != EntryChange.Metadata)
        {
            BytesNew = Sum(BytesNew, difference.Newer);
            BytesOld = Sum(BytesOld, difference.Older);
        }
    }

    // Sizes are claims of the backup: their sum stays at the largest number.
    private static long Sum(long sum, EntryState? state) => long.CreateSaturating((Int128)sum + (state?.SizeBytes ?? 0));
}
