using Restore.Cli;
using Restore.Ends.Linux;
using Restore.Planning.Scanning;
using Restore.Targets;
using Restore.Tests.Ends;
using Restore.Tests.Restoring;
using Restore.Tests.Support.Machine;
using Restore.Tests.Trust;

namespace Restore.Tests.Cli;

/// <summary>
/// A restore that makes the target equal to the backup deletes nothing behind a mount point, of
/// whichever file system it is.
/// </summary>
public sealed class DeleteBehindMountsTests : IDisposable
{
    private readonly MadeBackup backup = new();
    private readonly List<string> mounts = [];

    public DeleteBehindMountsTests()
    {
        backup.Folder("/s/");
        backup.Folder("/s/d/");
        backup.File("/s/d/x", [1]);
        backup.File("/s/a", [2]);
        backup.Write();
    }

    [Fact]
    [NeedsLinux]
    public async Task A_folder_of_the_same_file_system_that_is_bound_into_the_target_keeps_what_it_has()
    {
        await RestoreAsync();
        string mine = MakeFolder("mine", "sub/photo");
        Bind(mine, backup.At("extra/bound"));
        Bind(MakeFolder("mine2", "q"), backup.At("d"));
        CliRun run = await DeleteAsync();
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.True(File.Exists(Path.Join(mine, "sub/photo")));
        Assert.True(File.Exists(backup.At("d/q")));
        Assert.Contains(backup.At("extra/bound"), run.Output, StringComparison.Ordinal);
        Assert.Contains("Another file system or folder is mounted here", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    [NeedsLinux]
    public async Task A_bound_file_stays()
    {
        await RestoreAsync();
        string mine = MakeFolder("mine", "photo");
        File.WriteAllText(backup.At("bound"), "");
        Bind(Path.Join(mine, "photo"), backup.At("bound"));
        CliRun run = await DeleteAsync();
        Assert.Contains("Another file is mounted here, so it stays", run.Output, StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Join(mine, "photo")));
    }

    [Theory]
    [InlineData("d", "alias")]
    [InlineData("elsewhere", "d")]
    [InlineData("", "d/whole")]
    [NeedsLinux]
    public async Task A_restored_file_is_not_deleted_by_another_path_to_it(string folder, string place)
    {
        await RestoreAsync();
        Directory.CreateDirectory(backup.At(folder));
        Bind(backup.At(folder), backup.At(place));
        File.WriteAllText(backup.At("extra"), "x");
        CliRun run = await DeleteAsync();
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Equal([1], File.ReadAllBytes(backup.At("d/x")));
        Assert.Equal([2], File.ReadAllBytes(backup.At("a")));
        Assert.False(File.Exists(backup.At("extra")));
    }

    [Fact]
    [NeedsLinux]
    public async Task A_target_that_is_a_mount_itself_is_made_equal()
    {
        Bind(MakeFolder("disk", "extra"), backup.Target);
        CliRun run = await DeleteAsync();
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Equal(
            ["a", "d"],
            Directory.EnumerateFileSystemEntries(backup.Target).Select(Path.GetFileName).Order(StringComparer.Ordinal)
        );
    }

    [Fact]
    [NeedsLinux]
    public async Task Mounts_are_found_by_their_list_where_the_kernel_does_not_number_them()
    {
        await RestoreAsync();
        Bind(MakeFolder("mine", "photo"), backup.At("with blank"));
        using LinuxTarget target = new(backup.Target, useMountId: false);
        Assert.True(target.KnowsMounts);
        Assert.Equal(target.Inspect("").Mount, target.Inspect("d/x").Mount);
        Assert.NotEqual(target.Inspect("").Mount, target.Inspect("with blank").Mount);
        Assert.NotEqual(target.Inspect("").Mount, target.Inspect("with blank/photo").Mount);
    }

    [Fact]
    public async Task A_folder_that_cannot_be_listed_is_named_and_counts_as_not_done()
    {
        await RestoreAsync();
        Directory.CreateDirectory(backup.At("closed"));
        await using Backup opened = await Backup.OpenAsync(backup.Source);
        RestorePlan plan = await opened.PlanAsync(
            opened.Versions[0],
            new RestoreOptions { Target = backup.Target, Overwrite = true }
        );
        using IRestoreTarget target = Restore.Ends.FileSystemTarget.Open(backup.Target);
        int listed = 0;
        WatchedTarget watched = new(
            target,
            call =>
            {
                if (call == nameof(IRestoreTarget.NamesIn) && ++listed > 1)
                {
                    throw new UnauthorizedAccessException("permission denied");
                }
            }
        );
        ExtraEntries extra = new ExtraScan(plan, watched, new HashSet<string>()).Find(
            TestContext.Current.CancellationToken
        );
        Assert.All(extra.Staying, issue => Assert.True(issue.IsLoss));
        RestoreIssue issue = Assert.Single(extra.Staying, issue => issue.Path == backup.At("closed"));
        Assert.StartsWith("The folder cannot be listed", issue.Reason, StringComparison.Ordinal);
        Assert.DoesNotContain("closed", extra.Folders);
    }

    public void Dispose()
    {
        mounts.Reverse();
        mounts.ForEach(Native.Unmount);
        backup.Dispose();
    }

    private async Task RestoreAsync() => Assert.Empty((await backup.RestoreAsync()).Issues);

    private Task<CliRun> DeleteAsync() =>
        CliRun.OfAsync(backup.Source, $"--restore-path={backup.Target}", "--overwrite", "--delete", "--yes");

    private string MakeFolder(string name, string file)
    {
        string folder = Path.Join(Path.GetDirectoryName(backup.Source), name);
        string path = Path.Join(folder, file);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, "mine");
        return folder;
    }

    private void Bind(string source, string place)
    {
        if (!File.Exists(place))
        {
            Directory.CreateDirectory(place);
        }

        if (!Native.Bind(source, place))
        {
            Assert.Skip("Only the root user can bind a folder to a second place.");
        }

        mounts.Add(place);
    }
}
