using System.Runtime.InteropServices;
using System.Security.Cryptography;
using Restore.Catalog;
using Restore.Memory;

namespace Restore.Planning;

/// <summary>Which part of a split plan brings each block of a file that several parts write.</summary>
/// <param name="PartOfItem">By block of the content: the part.</param>
/// <param name="MetadataPart">The part that brings the metadata.</param>
internal sealed record EntryShares(int[] PartOfItem, int MetadataPart)
{
    public bool IsIn(int part) => part == MetadataPart || Array.IndexOf(PartOfItem, part) >= 0;
}

/// <summary>
/// A plan in parts that machines execute at the same time, each entry in one part. Only a large file has blocks in several: these are its shares. The
/// parts depend on nothing but the plan and their number, so that each machine finds its own.
/// </summary>
internal sealed class PlanSplit
{
    /// <summary>The most parts of a plan.</summary>
    public const int MostParts = 4096;

    private const int InNoPart = -1;
    private const int InSeveral = -2;

    private readonly PassPlan plan;
    private readonly int[] partOf;
    private readonly SortedDictionary<int, EntryShares> shares = [];

    /// <summary>Creates a split in which no part has anything yet.</summary>
    public PlanSplit(PassPlan plan, int count)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, MostParts);
        this.plan = plan;
        Count = count;
        partOf = new int[plan.Entries.Count];
        Array.Fill(partOf, InNoPart);
    }

    public int Count { get; }

    /// <summary>The files that several parts write.</summary>
    public IReadOnlyDictionary<int, EntryShares> Shares => shares;

    /// <summary>Splits a plan; a <see cref="PlanSplitter"/> does so for several numbers.</summary>
    public static PlanSplit Of(PassPlan plan, FetchCosts costs, int count) => new PlanSplitter(plan, costs).Split(count).Split;

    /// <summary>Gives an entry to a part.</summary>
    public void Give(EntryId entry, int part) => partOf[entry] = part;

    /// <summary>Gives the blocks of a file to several parts.</summary>
    public void Share(EntryId entry, EntryShares parts)
    {
        partOf[entry] = InSeveral;
        shares[entry] = parts;
    }

    /// <summary>Whether a file may be written by several parts: if it is new, and none of it is at the target.</summary>
    public static bool CanShare(PassPlan plan, EntryId entry) =>
        plan.WritesFile(entry) && plan.Entries[entry] is EntryAction.Create or EntryAction.Replace && plan.Entries.InPlace(entry) is null;

    /// <summary>Gives the entries that no part has yet to the part of the entry before: neighbors are in one folder.</summary>
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

    /// <summary>The plan of a part.</summary>
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
            else if (partOf[entry] == InSeveral && shares[entry].IsIn(part))
            {
                bool isMetadataHere = shares[entry].MetadataPart == part;
                parts[entry] = isMetadataHere ? plan.Parts[entry] : plan.Parts[entry] & ~EntryParts.Metadata;
                own[entry] = ItemsOf(shares[entry], part);
            }
        }

        return new PassPlan(plan.Entries.WithShares(own), parts, plan.Locations, plan.Volumes, plan.LeavesBlocksToFiles);
    }

    /// <summary>What each part fetches.</summary>
    public IReadOnlyList<PartCost> Costs(FetchCosts costs) => Costs(new FetchedItems(plan), costs);

    /// <summary>What each part fetches.</summary>
    public IReadOnlyList<PartCost> Costs(FetchedItems items, FetchCosts costs)
    {
        List<EntryId>[] entries = [.. Enumerable.Range(0, Count).Select(_ => new List<EntryId>())];
        foreach (EntryId entry in EntryId.UpTo(partOf.Length))
        {
            if (partOf[entry] >= 0)
            {
                entries[partOf[entry]].Add(entry);
            }
            else if (partOf[entry] == InSeveral)
            {
                foreach (int part in shares[entry].PartOfItem.Append(shares[entry].MetadataPart).Distinct())
                {
                    entries[part].Add(entry);
                }
            }
        }

        PartMeter meter = new(items, costs);
        return [.. entries.Select((own, part) => meter.Measure(own, this, part))];
    }

    /// <summary>The part that brings an item.</summary>
    public int PartOf(EntryId entry, Item item) => partOf[entry] != InSeveral ? partOf[entry]
        : item.IsMetadata ? shares[entry].MetadataPart : shares[entry].PartOfItem[item.Index];

    /// <summary>A text that two splits have in common only if they are the same.</summary>
    public string Fingerprint()
    {
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
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
