using Restore.Tests.FixtureTests;

namespace Restore.Tests.Maintenance.Keeping;

/// <summary>
/// Deletions and compacts of backups that Duplicati made: of each encryption, archive, hash and
/// index policy.
/// </summary>
public sealed class CompactFixtureTests
{
    public static TheoryData<string> All() => [.. FixtureCatalog.Readable.Select(backup => backup.Name).Distinct()];

    [Theory]
    [MemberData(nameof(All))]
    public async Task The_newest_version_is_whole_after_all_others_are_deleted_and_their_space_is_won(string fixture)
    {
        foreach (FixtureBackup backup in FixtureCatalog.BackupsOf(fixture))
        {
            using TempFolder folder = new();
            Directory.CreateDirectory(folder.Root);
            Array.ForEach(
                Directory.GetFiles(backup.Location),
                file => File.Copy(file, Path.Join(folder.Root, Path.GetFileName(file)))
            );
            string[] issuesBefore = await DrillAsync(folder.Root, backup);
            CompactOptions options = new() { ThresholdPercent = 0, SmallFileMaxCount = 0 };
            long wasted;
            await using (Backup opened = await Backup.OpenAsync(folder.Root, backup.Options()))
            {
                await opened.Maintenance.DeleteVersionsAsync(
                    await opened.Maintenance.PlanDeletionAsync(new RetentionRules { KeepVersions = 1 })
                );
            }

            await using (Backup opened = await Backup.OpenAsync(folder.Root, backup.Options()))
            {
                CompactPlan plan = await opened.Maintenance.PlanCompactAsync(options);
                CompactReport report = await opened.Maintenance.CompactAsync(plan);
                Assert.DoesNotContain(report.Issues, issue => issue.Kind != IssueKind.Warning);
                wasted = plan.Rewritten.Count > 0 ? plan.WastedBytes : 0;
                Assert.Equal(0, opened.Pool.OutstandingBuffers);
            }

            Assert.Equal(issuesBefore, await DrillAsync(folder.Root, backup));
            await using Backup left = await Backup.OpenAsync(folder.Root, backup.Options());
            CheckReport check = await left.Maintenance.CheckAsync();
            Assert.Equal((1, 0), (check.Versions, check.LostBlocks));
            Assert.True(
                wasted == 0 || check.UnusedBlocks == 0,
                $"{check.UnusedBlocks} blocks that nothing needs are left"
            );
        }
    }

    private static async Task<string[]> DrillAsync(string location, FixtureBackup backup)
    {
        await using Backup opened = await Backup.OpenAsync(location, backup.Options());
        RestoreReport drill = await opened.ExecuteAsync(
            await opened.PlanDrillAsync([opened.Versions[0]], new RestoreOptions())
        );
        return
        [
            .. drill
                .Issues.Where(issue => issue.Kind is IssueKind.Damaged or IssueKind.Missing)
                .Select(issue => $"{issue.Path} {issue.Reason}"),
        ];
    }
}
