namespace Restore.Shards;

/// <summary>
/// A plan in parts that machines execute at the same time, each entry in one part. Only a large
/// file has blocks in several parts: these are its shares. The parts depend only on the plan and
/// the number of parts, so each machine finds its own part.
/// </summary>
internal sealed class PlanSplit
{
    private const int InNoPart = -1;
    private const int InSeveral = -2;

    private readonly PassPlan plan;
    private readonly int[] partOf;
    private readonly SortedDictionary<int, EntryShares> shares = [];

    public PlanSplit(PassPlan plan, int count)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, RestorePlan.MaxShards);
        this.plan = plan;
        Count = count;
        partOf = new int[plan.Entries.Count];
        Array.Fill(partOf, InNoPart);
    }

    public int Count { get; }

    /// <summary>The files that several parts write.</summary>
    public IReadOnlyDictionary<int, EntryShares> Shares => shares;

    public static PlanSplit Of(PassPlan plan, int count) => PlanSplitter.Split(new FetchedItems(plan), count);

    public void Give(EntryId entry, int part) => partOf[entry] = part;

    public void Share(EntryId entry, EntryShares parts)
    {
        partOf[entry] = InSeveral;
        shares[entry] = parts;
    }

    /// <summary>
    /// Whether several parts may write a file: if it is new, and no part of it is at the target.
    /// </summary>
    public static bool CanShare(PassPlan plan, EntryId entry) =>
        plan.WritesFile(entry)
        && plan.Entries[entry] is EntryAction.Create or EntryAction.Replace
        && plan.Entries.InPlace(entry) is null;

    /// <summary>
    /// Gives the entries that no part has yet to the part of the entry before: neighbors are in one
    /// folder.
    /// </summary>
    public PlanSplit Complete()
    {
        int last = 0;
        foreach (EntryId entry in plan.Included())
        {
            if (partOf[entry] == InNoPart)
            {
                partOf[entry] = last;
            }

            last = partOf[entry] == InSeveral ? shares[entry].MetadataPart : partOf[entry];
        }

        return this;
    }

    public PassPlan ToPart(int part)
    {
        EntryParts[] parts = new EntryParts[partOf.Length];
        Dictionary<EntryId, BitSet> own = [];
        foreach (EntryId entry in plan.Included())
        {
            if (partOf[entry] == part)
            {
                parts[entry] = plan.Parts[entry];
            }
            else if (partOf[entry] == InSeveral && shares[entry].Parts.Contains(part))
            {
                bool isMetadataHere = shares[entry].MetadataPart == part;
                parts[entry] = isMetadataHere ? plan.Parts[entry] : plan.Parts[entry] & ~EntryParts.Metadata;
                own[entry] = ItemsOf(shares[entry], part);
            }
        }

        return new PassPlan(
            plan.Entries.WithShares(own),
            parts,
            plan.Locations,
            plan.Volumes,
            plan.LeavesBlocksToFiles
        );
    }

    public int PartOf(EntryId entry, Item item) =>
        partOf[entry] != InSeveral ? partOf[entry]
        : item.IsMetadata ? shares[entry].MetadataPart
        : shares[entry].PartOfItem[item.Index];

    /// <summary>The part that has an entry whole; null if several have it, or none.</summary>
    public int? OnlyPartOf(EntryId entry) => partOf[entry] >= 0 ? partOf[entry] : null;

    public IEnumerable<int> PartsOf(EntryId entry) =>
        partOf[entry] switch
        {
            InSeveral => shares[entry].Parts,
            InNoPart => [],
            _ => [partOf[entry]],
        };

    /// <summary>A text that is equal for two splits only if the splits are the same.</summary>
    public string Fingerprint()
    {
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);

        // The table of entries also says which of them have shares, so the shares need no keys.
        hash.AppendData(MemoryMarshal.AsBytes(partOf.AsSpan()));
        foreach (EntryShares entry in shares.Values)
        {
            hash.AppendData(MemoryMarshal.AsBytes(entry.PartOfItem.AsSpan()));
            hash.AppendData(MemoryMarshal.AsBytes([entry.MetadataPart]));
        }

        return Convert.ToHexStringLower(hash.GetHashAndReset())[..32];
    }

    private static BitSet ItemsOf(EntryShares shares, int part)
    {
        BitSet own = new(shares.PartOfItem.Length);
        for (int index = 0; index < shares.PartOfItem.Length; index++)
        {
            own[index] = shares.PartOfItem[index] == part;
        }

        return own;
    }
}
