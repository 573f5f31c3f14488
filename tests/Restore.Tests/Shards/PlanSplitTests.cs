using Restore.Catalog;
using Restore.Planning;
using Restore.Shards;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support;

namespace Restore.Tests.Shards;

/// <summary>
/// A plan splits into parts of the same size that together are the whole, and fetch little twice.
/// </summary>
public sealed class PlanSplitTests : IDisposable
{
    private readonly TempFolder folder = new();

    public static TheoryData<string, int> Splits()
    {
        TheoryData<string, int> splits = [];
        foreach (string fixture in new[] { "aes-100kb", "blocklists-1kb", "one-big", "damaged/dblock-truncated-plain" })
        {
            foreach (int count in new[] { 1, 3, 16, 100 })
            {
                splits.Add(fixture, count);
            }
        }

        return splits;
    }

    [Theory]
    [MemberData(nameof(Splits))]
    public async Task Each_item_of_each_entry_is_in_exactly_one_part_and_the_bytes_add_up(string fixture, int count)
    {
        RestorePlan plan = await PlanAsync(fixture);
        PassPlan whole = plan.Pass;
        PlanSplit split = PlanSplit.Of(whole, count);
        PassPlan[] parts = [.. Enumerable.Range(0, count).Select(split.ToPart)];
        foreach (EntryId entry in EntryId.UpTo(whole.Entries.Count))
        {
            PassPlan[] owners = [.. parts.Where(part => part.Includes(entry))];
            Assert.Equal(whole.Includes(entry), owners.Length > 0);
            Assert.Equal(whole.BringsMetadata(entry) ? 1 : 0, owners.Count(part => part.BringsMetadata(entry)));
            Assert.True(owners.Length <= 1 || Array.TrueForAll(owners, part => part.Entries.IsShared(entry)));
            if (owners.Length > 0)
            {
                AssertEachItemIsInOnePart(whole, owners, entry);
            }
        }

        Assert.Equal(plan.Bytes, parts.Sum(part => part.Included().Sum(part.BytesOf)));
        Assert.Equal(
            parts.Select(part => part.Fetch.Volumes.Sum(part.Fetch.BytesOf)),
            CostsOf(split, plan).Select(part => part.BlockBytes)
        );
    }

    [Fact]
    public async Task A_file_that_is_longer_than_a_part_is_cut_and_no_part_is_more_than_a_tenth_longer_than_the_mean()
    {
        RestorePlan plan = await PlanAsync("one-big");
        PlanSplit split = PlanSplit.Of(plan.Pass, 4);
        Assert.NotEmpty(split.Shares);
        AssertBalanced(split, plan);
    }

    [Fact]
    public async Task Sixteen_parts_of_a_fresh_backup_are_balanced_and_fetch_at_most_a_twentieth_twice()
    {
        using TreeBackup tree = await TreeBackup.WriteAsync(
            files: 150,
            largeFiles: 24,
            seed: 3,
            volumeSizeBytes: 256 << 10,
            concurrency: 1
        );
        RestorePlan plan = await PlanAsync(tree);
        PlanSplit split = PlanSplit.Of(plan.Pass, 16);
        AssertBalanced(split, plan);
        Assert.InRange(Amplification(plan, split), 1, 1.05);
        Assert.InRange(split.Shares.Count, 0, 15);
    }

    [Fact]
    public async Task Sixteen_parts_of_a_backup_with_blocks_in_any_volume_fetch_at_most_a_fifth_twice()
    {
        using TreeBackup tree = await TreeBackup.WriteAsync(
            files: 100,
            largeFiles: 20,
            seed: 3,
            volumeSizeBytes: 256 << 10,
            concurrency: 1
        );
        RestorePlan plan = Spread(await PlanAsync(tree));
        PlanSplit split = PlanSplit.Of(plan.Pass, 16);
        Assert.True(split.Shares.Count > 15, $"Only {split.Shares.Count} files are shared: nothing is spread");
        Assert.InRange(Amplification(plan, split), 1, 1.2);
        AssertBalanced(split, plan);
    }

    [Fact]
    public async Task A_split_depends_on_nothing_but_the_plan_and_the_number_of_parts()
    {
        RestorePlan plan = await PlanAsync("blocklists-1kb");
        using MemoryStream saved = new();
        plan.Save(saved);
        saved.Position = 0;
        RestorePlan loaded = RestorePlan.Load(saved);
        Assert.Equal(PlanSplit.Of(plan.Pass, 5).Fingerprint(), PlanSplit.Of(loaded.Pass, 5).Fingerprint());
        Assert.NotEqual(PlanSplit.Of(plan.Pass, 5).Fingerprint(), PlanSplit.Of(plan.Pass, 6).Fingerprint());
    }

    [Fact]
    public async Task Executing_a_plan_does_not_change_it()
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf("damaged/dblock-truncated-plain").Single();
        await using Backup opened = await Backup.OpenAsync(backup.Location, backup.Options());
        RestorePlan plan = await opened.PlanAsync(opened.Versions[0], new RestoreOptions { Target = folder.Root });
        using MemoryStream before = new();
        plan.Save(before);

        await opened.ExecuteAsync(plan);

        using MemoryStream after = new();
        plan.Save(after);
        Assert.Equal(before.ToArray(), after.ToArray());
    }

    public void Dispose() => folder.Dispose();

    private static void AssertEachItemIsInOnePart(PassPlan whole, PassPlan[] owners, EntryId entry)
    {
        foreach (Item item in whole.ItemsOf(entry))
        {
            if (whole.SourceOf(entry, item) is ItemSource.Fetched or ItemSource.Local or ItemSource.Nowhere)
            {
                PassPlan[] bringing =
                [
                    .. owners.Where(part =>
                        (!item.IsMetadata || part.BringsMetadata(entry))
                        && part.SourceOf(entry, item) != ItemSource.InPlace
                    ),
                ];
                Assert.Equal(whole.SourceOf(entry, item), Assert.Single(bringing).SourceOf(entry, item));
            }
        }
    }

    private static IReadOnlyList<PartCost> CostsOf(PlanSplit split, RestorePlan plan) =>
        SplitCosts.Of(split, new FetchedItems(plan.Pass), plan.Costs);

    private static void AssertBalanced(PlanSplit split, RestorePlan plan)
    {
        IReadOnlyList<PartCost> costs = CostsOf(split, plan);
        Assert.InRange(costs.Max(part => part.BlockBytes) / costs.Average(part => part.BlockBytes), 1, 1.1);
    }

    private static double Amplification(RestorePlan plan, PlanSplit split) =>
        (double)CostsOf(split, plan).Sum(part => part.FetchedBytes) / plan.BytesToFetch;

    /// <summary>
    /// The same plan after many compactions: each block is in a volume by chance.
    /// </summary>
    private static RestorePlan Spread(RestorePlan plan)
    {
        Random random = new(1);
        using MemoryStream saved = new();
        plan.Save(saved);
        saved.Position = 0;
        RestorePlan copy = RestorePlan.Load(saved);
        Restore.Volumes.VolumeId[] first = [.. copy.Pass.Locations.First];
        random.Shuffle(first);
        Locations spread = new(first, [], [], []);
        PassPlan pass = new(
            copy.Pass.Entries,
            [.. copy.Pass.Parts],
            spread,
            copy.Pass.Volumes,
            copy.Pass.LeavesBlocksToFiles
        );
        return copy.With(pass);
    }

    private async Task<RestorePlan> PlanAsync(TreeBackup tree)
    {
        // The volumes are a two hundredth as long as usual, and so is the cost of a request.
        await using Backup opened = await Backup.OpenAsync(tree.Location);
        return await opened.PlanAsync(
            opened.Versions[0],
            new RestoreOptions { Target = folder.Root },
            new ExecuteOptions { Tuning = new() { RequestCostBytes = 1 << 10 } }
        );
    }

    private async Task<RestorePlan> PlanAsync(string fixture)
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).Single();
        await using Backup opened = await Backup.OpenAsync(backup.Location, backup.Options());
        return await opened.PlanAsync(opened.Versions[0], new RestoreOptions { Target = folder.Root });
    }
}
