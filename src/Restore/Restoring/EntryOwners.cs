using Restore.Catalog;
using Restore.Planning;

namespace Restore.Restoring;

/// <summary>
/// Which FileProcessor has which entry, decided when the first item of the entry comes: the one that was given the fewest bytes so far, so that all have
/// work at any time. Entries that follow each other mostly lie in one folder, and two processes that make files in one folder wait for each other: a
/// processor goes on being given small entries until it is a run ahead.
/// </summary>
internal sealed class EntryOwners(PassPlan plan, int processors)
{
    private const ushort Nobody = ushort.MaxValue;
    private const int RunBytes = 1 << 20;

    // What it costs to make a file, in bytes that could be written in that time.
    private const int EntryBytes = 16 << 10;

    private readonly ushort[] owners = Unowned(plan.Entries.Count);
    private readonly long[] given = new long[processors];
    private int current;

    /// <summary>The processor that has the entry, from now on.</summary>
    public int Of(EntryId entry)
    {
        if (owners[entry] == Nobody)
        {
            int least = Array.IndexOf(given, given.Min());
            current = given[current] - given[least] >= RunBytes ? least : current;
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
