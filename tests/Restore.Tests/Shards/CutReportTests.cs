using Restore.Catalog;
using Restore.Planning;
using Restore.Shards;

namespace Restore.Tests.Shards;

/// <summary>
/// Reports of shards that do not list every loss: their last step comes to an end all the same.
/// </summary>
public sealed class CutReportTests
{
    [Fact]
    public async Task A_shared_file_that_lost_more_ranges_than_a_report_keeps_is_finished()
    {
        using ShardRig rig = await ShardRig.WriteAsync(shards: 4);
        RestorePlan plan = rig.Restore.Plan;
        EntryId huge = new(
            PlanSplit.Of(plan.Pass, 4).Shares.Keys.MaxBy(entry => plan.Pass.Content.SizeOf(new EntryId(entry)))
        );
        BlockId gone = plan.Pass.BlockOf(huge, Item.Content(0));
        File.Delete(Path.Join(rig.Tree.Location, plan.Pass.Volumes[plan.Pass.Locations.VolumeOf(gone)].FileName));
        ShardFiles files = rig.Restore.Files;
        int cut = 0;
        for (int shard = 1; shard <= 4; shard++)
        {
            await rig.RunAsync(shard);
            ShardRecord record = files.Read(shard, 4)!;
            RestoreReport whole = record.Report!;
            files.Write(record with { Report = whole with { Issues = [.. whole.Issues.Select(Cut)] } });
        }

        RestoreReport report = await rig.FinishAsync();
        Assert.True(cut > 0);
        Assert.Equal(cut, report.Issues.Sum(issue => issue.LostRangesLeftOut));

        RestoreIssue Cut(RestoreIssue issue)
        {
            if (issue.LostRanges.Count == 0 || !issue.Path.EndsWith(TreeBackup.Huge, StringComparison.Ordinal))
            {
                return issue;
            }

            cut++;
            ByteRange first = issue.LostRanges[0];
            return issue with
            {
                LostRanges = [first with { To = first.From + 1 }, .. issue.LostRanges.Skip(1).SkipLast(1)],
                LostRangesLeftOut = 1,
            };
        }
    }
}
