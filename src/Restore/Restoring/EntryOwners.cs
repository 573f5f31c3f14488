namespace Restore.Restoring;

/// <summary>
/// Assigns each entry to a FileProcessor when the first item of the entry comes: to the one that
/// got the fewest bytes so far, so that all have work at any time. Consecutive entries mostly lie
/// in one folder, and two processors that create files in one folder wait for each other: so a
/// processor keeps getting small entries until it is a batch ahead.
/// </summary>
internal sealed class EntryOwners(PassPlan plan, int processors)
{
    private const ushort Nobody = ushort.MaxValue;
    private const int BatchBytes = 1 << 20;

    // The cost of creating a file, in bytes that could be written in that time.
    private const int EntryBytes = 16 << 10;

    private readonly ushort[] owners = Unowned(plan.Entries.Count);
    private readonly long[] given = new long[processors];
    private int current;

    /// <summary>The processor that owns the entry from now on.</summary>
    public int Of(EntryId entry)
    {
        if (owners[entry] == Nobody)
        {
            int least = Array.IndexOf(given, given.Min());
            current = given[current] - given[least] >= BatchBytes ? least : current;
            given[current] += EntryBytes + (plan.BringsContent(entry) ? plan.Content.SizeOf(entry) : 0);
            owners[entry] = (ushort)current;
        }

        return owners[entry];
    }

    private static ushort[] Unowned(int entries)
    {
        ushort[] owners = new ushort[entries];
        owners.AsSpan().Fill(Nobody);
        return owners;
    }
}
