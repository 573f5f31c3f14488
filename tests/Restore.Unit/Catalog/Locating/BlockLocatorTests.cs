using System.IO.Compression;
using System.Text;
using Restore.Catalog;
using Restore.Planning;
using Restore.Restoring;
using Restore.Tests.Restoring;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Catalog.Locating;

/// <summary>Locating blocks reads no more than it must: counted at the store.</summary>
public sealed class BlockLocatorTests
{
    [Theory]
    [InlineData("aes-100kb")]
    [InlineData("blocklists-1kb")]
    [NeedsLinux]
    public async Task With_complete_indexes_planning_reads_no_block_volume(string fixture)
    {
        using NetworkRig rig = new(fixture);
        RestorePlan plan = await rig.PlanAsync();
        Assert.Equal(0, rig.Store.ReadsOf(".dblock."));
        Assert.All(rig.Store.Reads.CountBy(read => read.Name), file => Assert.Equal(1, file.Value));
        Assert.DoesNotContain(plan.Issues, issue => issue.Kind != IssueKind.Warning);
        rig.AssertAllGivenBack();
    }

    [Fact]
    [NeedsLinux]
    public async Task Where_an_index_is_lost_only_the_volume_that_none_describes_is_surveyed()
    {
        using NetworkRig rig = new("aes-100kb");
        string[] indexes = [.. rig.Store.Names.Where(name => name.Contains(".dindex.", StringComparison.Ordinal))];
        rig.Store.Remove(indexes[0]);
        RestorePlan plan = await rig.PlanAsync();
        RestoreIssue issue = Assert.Single(plan.PlanningIssues);
        Assert.Equal("No index volume describes this block volume; its directory was read instead", issue.Reason);
        Assert.Equal(
            [issue.Path],
            rig.Store.Reads.Select(read => read.Name)
                .Where(name => name.Contains(".dblock.", StringComparison.Ordinal))
                .Distinct()
        );
        Assert.DoesNotContain(plan.Issues, issue => issue.Kind != IssueKind.Warning);
        rig.AssertAllGivenBack();
    }

    [Fact]
    public async Task Nothing_is_read_to_locate_when_no_block_is_needed()
    {
        using NetworkRig rig = new("aes-100kb");
        RestoreOptions options = new()
        {
            SkipMetadata = true,
            Filter = EntryFilter.Parse([], [new FilterRule(true, "*/docs/notes.md")]),
        };
        RestorePlan plan = await rig.PlanAsync(options);
        Assert.NotEqual(0, plan.Pass.Content.Entries.Count);
        Assert.Empty(plan.Pass.Fetch.Volumes);
        Assert.Equal(0, rig.Store.ReadsOf(".dindex.") + rig.Store.ReadsOf(".dblock."));
    }

    [Fact]
    public async Task Blocks_of_a_missing_volume_stay_without_a_location_after_all_others_were_read()
    {
        using NetworkRig rig = new("aes-100kb");
        string gone = rig
            .Store.Names.Order(StringComparer.Ordinal)
            .First(name => name.Contains(".dblock.", StringComparison.Ordinal));
        rig.Store.Remove(gone);
        RestorePlan plan = await rig.PlanAsync();
        Assert.Contains(
            plan.PlanningIssues,
            issue => issue.Reason.Contains($"It describes {gone}, which is missing", StringComparison.Ordinal)
        );
        Assert.Contains(plan.Issues, issue => issue.LostRanges.Count > 0);
        IEnumerable<string> read = rig.Store.Reads.Select(read => read.Name);
        Assert.Empty(rig.Store.Names.Where(name => name.Contains(".dblock.", StringComparison.Ordinal)).Except(read));
        rig.AssertAllGivenBack();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Which_copy_of_a_block_is_taken_does_not_depend_on_which_index_is_read_first(bool isFirstHeld)
    {
        using NetworkRig rig = new("plain-1mb");
        string first = rig
            .Store.Names.Where(name => name.Contains(".dindex.", StringComparison.Ordinal))
            .Min(StringComparer.Ordinal)!;
        string volume = VolumeOf(rig.Store[first]);
        (string laterIndex, string copy) = (Later(first), Later(volume));
        rig.Store[copy] = rig.Store[volume];
        rig.Store[laterIndex] = Encoding.Latin1.GetBytes(
            Encoding.Latin1.GetString(rig.Store[first]).Replace(volume, copy, StringComparison.Ordinal)
        );
        TaskCompletionSource isLaterTaken = new(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Store.BeforeRead = async (name, token) =>
        {
            if (name == first && isFirstHeld)
            {
                // Two are read side by side where there are two processors: when a third one is
                // asked for, the other has been taken.
                await Task.WhenAny(isLaterTaken.Task, Task.Delay(TimeSpan.FromSeconds(5), token));
            }
            else if (name != laterIndex && name.Contains(".dindex.", StringComparison.Ordinal))
            {
                isLaterTaken.TrySetResult();
            }
        };

        RestorePlan plan = await rig.PlanAsync();
        string[] used = [.. plan.Pass.Fetch.Volumes.Select(demand => demand.Volume.FileName)];
        Assert.Contains(volume, used);
        Assert.DoesNotContain(copy, used);
    }

    [Fact]
    [NeedsLinux]
    public async Task Blocks_with_an_impossible_size_in_an_index_are_reported_and_found_in_their_volume()
    {
        using NetworkRig rig = new("plain-1mb");
        string index = rig
            .Store.Names.Where(name => name.Contains(".dindex.", StringComparison.Ordinal))
            .Min(StringComparer.Ordinal)!;
        rig.Store[index] = WithNegativeSizes(rig.Store[index], out int blocks);
        RestorePlan plan = await rig.PlanAsync();
        string[] reported = [.. plan.PlanningIssues.Where(issue => issue.Path == index).Select(issue => issue.Reason)];
        Assert.Equal(
            [
                $"A part of the index volume cannot be used: It gives no sound hash and size for {blocks} of the blocks that it lists",
            ],
            reported
        );
        Assert.DoesNotContain(plan.Issues, issue => issue.Kind != IssueKind.Warning);
    }

    /// <summary>The index, with a minus before the size of each block.</summary>
    private static byte[] WithNegativeSizes(byte[] index, out int blocks)
    {
        using MemoryStream changed = new();
        changed.Write(index);
        using (ZipArchive archive = new(changed, ZipArchiveMode.Update, leaveOpen: true))
        {
            ZipArchiveEntry entry = archive.Entries.Single(entry =>
                entry.FullName.StartsWith("vol/", StringComparison.Ordinal)
            );
            using Stream json = entry.Open();
            string text = new StreamReader(json).ReadToEnd();
            json.SetLength(0);
            json.Write(Encoding.UTF8.GetBytes(text.Replace("\"size\":", "\"size\":-", StringComparison.Ordinal)));
            blocks = text.Split("\"size\":").Length - 1;
        }

        return changed.ToArray();
    }

    /// <summary>The name of the block volume that an index describes.</summary>
    private static string VolumeOf(byte[] index)
    {
        using ZipArchive archive = new(new MemoryStream(index));
        return archive.Entries.Single(entry => entry.FullName.StartsWith("vol/", StringComparison.Ordinal)).Name;
    }

    /// <summary>A name that comes after this one.</summary>
    private static string Later(string name)
    {
        char[] letters = name.ToCharArray();
        int last = name.IndexOf(".d", StringComparison.Ordinal) - 1;
        Assert.NotEqual('f', letters[last]);
        letters[last] = 'f';
        return new string(letters);
    }
}
