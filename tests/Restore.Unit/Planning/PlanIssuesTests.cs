using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Csp;
using Restore.Format;
using Restore.Memory;
using Restore.Planning;
using Restore.Planning.Paths;
using Restore.Planning.Scanning;
using Restore.Resume;
using Restore.Tests.FixtureTests;
using Restore.Tests.Restoring;
using Restore.Tests.Support;
using Restore.Volumes;

namespace Restore.Tests.Planning;

/// <summary>
/// What a plan says will go wrong is true and complete, before anything is fetched or written.
/// </summary>
public sealed class PlanIssuesTests : IDisposable
{
    private readonly TempFolder folder = new();

    [Fact]
    public async Task A_plan_knows_a_lost_volume_with_the_lost_files_and_ranges()
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("damaged/base-plain").Single();
        ScriptedStore store = ScriptedStore.OfFolder(fixture.Location);
        store.Remove(
            store
                .Names.Where(name => name.Contains(".dblock.", StringComparison.Ordinal))
                .Order(StringComparer.Ordinal)
                .First()
        );
        await using Backup backup = await Backup.OpenAsync(store, fixture.Options());
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = folder.Root });

        RestoreIssue[] known =
        [
            .. plan.Issues.Where(issue => issue.Kind is IssueKind.Damaged or IssueKind.Missing or IssueKind.Metadata),
        ];
        Assert.Contains(known, issue => issue.LostRanges.Count > 0 && issue.Volumes.Count > 0);

        RestoreReport report = await backup.ExecuteAsync(plan);
        Assert.Equal(
            report
                .Issues.Where(issue => issue.LostRanges.Count > 0)
                .Select(issue => (issue.Path, issue.Kind, issue.Reason))
                .Order(),
            known
                .Where(issue => issue.LostRanges.Count > 0)
                .Select(issue => (issue.Path, issue.Kind, issue.Reason))
                .Order()
        );
    }

    [Fact]
    public async Task A_folder_in_the_place_of_a_link_is_known_to_the_plan()
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("plain-1mb").Single();
        string link = ExpectedTree
            .Load(fixture.Versions[0].ExpectedFile!)
            .Entries.First(entry => entry.Type == "symlink")
            .Path;
        Directory.CreateDirectory(Path.Combine(folder.Root, link));
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = folder.Root });
        Assert.Contains(
            plan.Issues,
            issue => issue.Code == IssueCode.FolderInTheWay && issue.Path.EndsWith(link, StringComparison.Ordinal)
        );
    }

    [Fact]
    public async Task Each_of_many_refusals_is_reported_by_whichever_process_it_comes_from()
    {
        // Every second entry is refused by FileLister because its path is taken, every other one by
        // a TargetScanner because of what is at its place.
        const int Pairs = 10_000;
        byte[] content = MadeVersion.Content(1, 10);
        VersionContent version = MadeVersion.Of(Enumerable.Range(0, 2 * Pairs).Select(i => ($"f{i / 2}", content)));
        using MemoryTarget target = new() { BeforeInspect = _ => throw new IOException("The disk has a bad sector") };
        target.Files["other"] = [];
        IssueLog issues = new();
        EntryPlans.Builder entries = MadeVersion.Plans(version);
        ScanNetwork network = new(targetScanners: 4, channelCapacity: 2, _ => null);
        PlanningContext context = new(
            "",
            null!,
            [],
            (_, _, _, _) => throw new InvalidOperationException(),
            network,
            target,
            null,
            null!,
            new BufferPool(),
            TimeZoneInfo.Utc
        );
        RenameRule renaming = new(DateTimeOffset.UnixEpoch, TimeZoneInfo.Utc);

        using EarlierRuns earlier = EarlierRuns.Read(target, "", issues);
        TargetScan scan = new(
            entries,
            new RestoreOptions(),
            context,
            renaming,
            earlier,
            issues,
            new ProgressMeter(TimeProvider.System)
        );
        await scan.LookAsync(default);

        Assert.Equal(2 * Pairs, issues.ToList().Count);
    }

    public void Dispose() => folder.Dispose();
}
