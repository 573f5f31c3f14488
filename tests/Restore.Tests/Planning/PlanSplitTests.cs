using Restore.Catalog;
using Restore.Planning;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support;

namespace Restore.Tests.Planning;

/// <summary>A plan splits into parts that together do what the whole would, and fetch few volumes twice.</summary>
public sealed class PlanSplitTests : IDisposable
{
    private readonly TempFolder folder = new();

    [Theory]
    [InlineData("aes-100kb", 1)]
    [InlineData("aes-100kb", 2)]
    [InlineData("blocklists-1kb", 3)]
    [InlineData("plain-1mb", 7)]
    public async Task The_parts_in_order_restore_the_tree(string fixture, int count)
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).Single();
        await using Backup opened = await Backup.OpenAsync(backup.Location, backup.Options());
        RestoreOptions options = FixtureRestore.Whole(folder.Root, Flow.Network);
        IReadOnlyList<RestorePlan> parts = (await opened.PlanAsync(opened.Versions[0], options)).Split(count);
        Assert.Equal(count, parts.Count);

        foreach (RestorePlan part in parts)
        {
            Assert.True((await opened.ExecuteAsync(part)).IsComplete);
        }

        RestoredTree.AssertEqual(backup.Versions[0].ExpectedFile!, folder.Root, backup.Checks);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(5)]
    public async Task Each_entry_is_in_one_part_and_folders_and_links_are_in_the_last(int count)
    {
        RestorePlan plan = await PlanAsync("plain-1mb");
        IReadOnlyList<RestorePlan> parts = plan.Split(count);
        foreach (EntryId entry in plan.Pass.Included())
        {
            RestorePlan owner = Assert.Single(parts, part => part.Pass.Includes(entry));
            Assert.True(plan.Pass.Content.IsFile(entry) || owner == parts[^1]);
            Assert.Equal(plan.Pass.Parts[entry], owner.Pass.Parts[entry]);
        }

        Assert.Equal(plan.Bytes, parts.Sum(part => part.Bytes));
    }

    [Fact]
    public async Task Parts_of_a_fresh_backup_fetch_few_volumes_twice()
    {
        RestorePlan plan = await PlanAsync("one-big");
        IReadOnlyList<RestorePlan> parts = plan.Split(2);
        Assert.InRange(parts.Sum(part => part.Volumes.Count), plan.Volumes.Count, plan.Volumes.Count + 1);
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

    private async Task<RestorePlan> PlanAsync(string fixture)
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).Single();
        await using Backup opened = await Backup.OpenAsync(backup.Location, backup.Options());
        return await opened.PlanAsync(opened.Versions[0], new RestoreOptions { Target = folder.Root });
    }
}
