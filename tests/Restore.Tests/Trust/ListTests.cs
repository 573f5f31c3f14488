using System.Text;
using Restore.Cli;
using Restore.Tests.Cli;

namespace Restore.Tests.Trust;

/// <summary>What is said of a version with nothing to list.</summary>
public sealed class ListTests
{
    [Theory]
    [InlineData(
        "[{\"type\":\"File\",\"path\":\"/data/a\"},{}]",
        "not one of its entries is sound; of /data/a it is known: It has no size",
        ExitCodes.Failed
    )]
    [InlineData("[1,2]", "not one of its entries is sound; of entry 1 it is known: ", ExitCodes.Failed)]
    [InlineData("[]", "The file list of version 0 has no entries", ExitCodes.NotFound)]
    public async Task A_list_without_a_usable_entry_says_what_is_wrong(string json, string message, int exitCode)
    {
        using MadeBackup backup = new();
        backup.Write();
        backup.WriteList(json: Encoding.UTF8.GetBytes(json));
        CliRun run = await CliRun.OfAsync("ls", backup.Source);
        Assert.Equal(exitCode, run.ExitCode);
        Assert.Contains(message, run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("everything", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/", "data")]
    [InlineData("C:\\", "C:data")]
    public async Task A_path_that_is_not_absolute_is_in_no_tree_whatever_comes_before_it(string root, string path)
    {
        using MadeBackup made = new();
        made.Folder(root);
        made.File(path, [1, 2, 3]);
        await using Backup backup = await Backup.OpenAsync(made.Write().Source);
        await using BackupTree tree = await backup.OpenTreeAsync(backup.Versions[0], new BlockMemory(32 << 20));
        RestoreIssue issue = Assert.Single(tree.Issues);
        Assert.Equal((path, "The path is not absolute"), (issue.Path, issue.Reason));
    }

    [Fact]
    public async Task A_filter_that_matches_nothing_is_named()
    {
        using MadeBackup backup = new();
        backup.File("/data/file", [1, 2, 3]);
        CliRun run = await CliRun.OfAsync("ls", backup.Write().Source, "*.odt");
        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        Assert.Contains("Nothing in version 0 matches '*.odt'", run.Error, StringComparison.Ordinal);
    }
}
