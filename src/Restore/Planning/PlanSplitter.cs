namespace Restore.Planning;

/// <summary>
/// Splits a plan into any numbers of parts: into runs of entries in order of first use. If their blocks are spread so widely that the parts would
/// fetch much twice, by the volumes of the blocks instead. What does not depend on the number of parts is done once.
/// </summary>
internal sealed class PlanSplitter
{
    // Parts that fetch this much more than the whole are a reason to split in another way, although many shared files must be read again at the end.
    private const double WorthAnother = 1.25;

    private readonly FetchedItems items;
    private readonly FetchCosts costs;
    private readonly SplitByRuns byRuns;

    public PlanSplitter(PassPlan plan, FetchCosts costs)
    {
        items = new FetchedItems(plan);
        this.costs = costs;
        byRuns = new SplitByRuns(items);
        Whole = byRuns.Split(1);
        BytesOfWhole = BytesOf(Costs(Whole));
    }

    /// <summary>The plan as one part.</summary>
    public PlanSplit Whole { get; }

    /// <summary>What one machine would fetch.</summary>
    public long BytesOfWhole { get; }

    public IReadOnlyList<PartCost> Costs(PlanSplit split) => split.Costs(items, costs);

    /// <summary>Splits the plan.</summary>
    /// <param name="count">The number of parts.</param>
    /// <returns>The split, and what its parts cost.</returns>
    public (PlanSplit Split, IReadOnlyList<PartCost> Costs) Split(int count)
    {
        PlanSplit runs = count == 1 ? Whole : byRuns.Split(count);
        IReadOnlyList<PartCost> runCosts = Costs(runs);
        if (BytesOf(runCosts) <= WorthAnother * BytesOfWhole)
        {
            return (runs, runCosts);
        }

        PlanSplit volumes = SplitByVolumes.Split(items, count);
        IReadOnlyList<PartCost> volumeCosts = Costs(volumes);
        return BytesOf(volumeCosts) < BytesOf(runCosts) ? (volumes, volumeCosts) : (runs, runCosts);
    }

    private static long BytesOf(IReadOnlyList<PartCost> parts) => parts.Sum(part => part.FetchedBytes);
}
