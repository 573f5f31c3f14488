using Restore.Tests.FixtureTests;

namespace Restore.Tests.Restoring;

/// <summary>
/// A drill of all versions finds what drills of the single versions find, with every catalog and
/// both flows.
/// </summary>
public sealed class MergedDrillTests
{
    public static TheoryData<string, bool> Cases =>
        new()
        {
            { "plain-1mb", false },
            { "aes-100kb", true },
            { "compacted", false },
            { "blocklists-1kb", false },
            { "with-database", false },
            { "damaged/dblock-missing-plain", false },
            { "damaged/dblock-flipped-byte-aes", false },
            { "damaged/blocklist-lost-plain", true },
        };

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task It_finds_what_drills_of_the_single_versions_find(string name, bool legacy)
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf(name).First();
        await using Backup backup = await Backup.OpenAsync(
            fixture.Location,
            fixture.Options(fixture.Databases is [string database, ..] ? database : "")
        );
        RestoreSetup options = new RestoreOptions { VerifyOnly = true }.Legacy(legacy);
        HashSet<(int Version, string Path)> expected = [];
        foreach (BackupVersion version in backup.Versions)
        {
            RestoreReport single = await backup.RestoreAsync(version, options);
            expected.UnionWith(LossesOf(single).Select(issue => (version.Index, issue.Path)));
        }

        RestorePlan plan = await backup.PlanDrillAsync(backup.Versions, options.What);
        RestoreReport report = await backup.ExecuteAsync(Reloaded(plan), options.How);
        Assert.Equal(
            expected,
            [
                .. LossesOf(report)
                    .SelectMany(issue => Indexes(issue.Versions!.Value).Select(index => (index, issue.Path))),
            ]
        );
        Assert.Equal(backup.Versions.Count, report.Drill!.VersionsCovered);
        Assert.Equal(expected.Count == 0, report.Drill.Files == report.FilesRestored);
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
    }

    private static IEnumerable<int> Indexes(VersionRange range) =>
        Enumerable.Range(range.Newest, range.Oldest - range.Newest + 1);

    private static IEnumerable<RestoreIssue> LossesOf(RestoreReport report) =>
        report.Issues.Where(issue => issue.Kind is IssueKind.Damaged or IssueKind.Missing || issue.MetadataLost);

    /// <summary>The plan of a drill can be saved and loaded like any other.</summary>
    private static RestorePlan Reloaded(RestorePlan plan)
    {
        using MemoryStream saved = new();
        plan.Save(saved);
        saved.Position = 0;
        return RestorePlan.Load(saved);
    }
}
