namespace Restore.Cli.Commands;

/// <summary>
/// Totals of a comparison. Add the differences one by one; not safe for concurrent use.
/// </summary>
internal sealed class DifferenceTotals
{
    public long Added { get; private set; }

    public long Removed { get; private set; }

    public long Changed { get; private set; }

    public long Metadata { get; private set; }

    /// <summary>What could not be listed or read.</summary>
    public long Unknown { get; private set; }

    /// <summary>
    /// Length of the files that were added, and of the changed ones as they are now.
    /// </summary>
    public long BytesNew { get; private set; }

    /// <summary>
    /// Length of the files that were removed, and of the changed ones as they were.
    /// </summary>
    public long BytesOld { get; private set; }

    public bool Any => Added + Removed + Changed + Metadata > 0;

    public void Add(EntryDifference difference)
    {
        Added += difference.Change == EntryChange.Added ? 1 : 0;
        Removed += difference.Change == EntryChange.Removed ? 1 : 0;
        Changed += difference.Change == EntryChange.Changed ? 1 : 0;
        Metadata += difference.Change == EntryChange.Metadata ? 1 : 0;
        Unknown += difference.Change == EntryChange.Unknown ? 1 : 0;
        if (difference.Change is not (EntryChange.Metadata or EntryChange.Unknown))
        {
            BytesNew = Sum(BytesNew, difference.Newer);
            BytesOld = Sum(BytesOld, difference.Older);
        }
    }

    // Sizes are claims of the backup: their sum stays at the largest number.
    private static long Sum(long sum, EntryState? state) =>
        long.CreateSaturating((Int128)sum + (state?.SizeBytes ?? 0));
}
