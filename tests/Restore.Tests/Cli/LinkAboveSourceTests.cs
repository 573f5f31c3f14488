using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>
/// Restores to original places that this machine has behind a link, as it is usual for
/// <c>/home -> var/home</c>, and for sources that are given as <c>link/</c>.
/// </summary>
public sealed class LinkAboveSourceTests : IDisposable
{
    private readonly TempFolder folder = new();

    public LinkAboveSourceTests()
    {
        Write("var/home/ann/a", "a");
        Write("var/home/ann/sub/b", "b");
        Directory.CreateSymbolicLink(folder.In("home"), "var/home");
    }

    private string Backup => folder.In("backup");

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task Sources_below_a_link_go_where_it_leads()
    {
        await BackUpAsync("home/ann");
        Directory.Delete(folder.In("var/home/ann"), recursive: true);

        CliRun dry = await CliRun.OfAsync(Backup, "--yes", "--dry-run");
        Assert.True(dry.ExitCode == ExitCodes.Complete, dry.Output + dry.Error);
        Assert.False(Directory.Exists(folder.In("var/home/ann")));

        CliRun run = await CliRun.OfAsync(Backup, "--yes");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.DoesNotContain("warning", run.Output, StringComparison.Ordinal);
        AssertRestored("var/home/ann");
        Assert.Equal("var/home", new FileInfo(folder.In("home")).LinkTarget);

        // What is right there is left as it is.
        Assert.Contains("0 bytes", (await CliRun.OfAsync(Backup, "--yes")).Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_saved_plan_goes_where_the_link_led_when_it_was_made()
    {
        await BackUpAsync("home/ann");
        Directory.Delete(folder.In("var/home/ann"), recursive: true);
        string plan = folder.In("a.rplan");
        CliRun made = await CliRun.OfAsync("plan", Backup, "--save=" + plan);
        Assert.True(made.ExitCode == ExitCodes.Complete, made.Output + made.Error);

        // A link that is another one meanwhile leads nothing elsewhere.
        Directory.CreateDirectory(folder.In("other"));
        File.Delete(folder.In("home"));
        Directory.CreateSymbolicLink(folder.In("home"), "other");
        CliRun run = await CliRun.OfAsync("run", plan, "--shard=1/1");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        AssertRestored("var/home/ann");
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder.In("other")));
    }

    [Fact]
    public async Task A_source_that_was_given_as_the_folder_behind_a_link_goes_there()
    {
        Write("data/docs-of-ann/a", "a");
        Write("data/docs-of-ann/sub/b", "b");
        Directory.CreateSymbolicLink(folder.In("docs"), "data/docs-of-ann");
        await BackUpAsync("docs/");
        Directory.Delete(folder.In("data/docs-of-ann/sub"), recursive: true);
        File.Delete(folder.In("data/docs-of-ann/a"));

        CliRun run = await CliRun.OfAsync(Backup, "--yes");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.DoesNotContain("warning", run.Output, StringComparison.Ordinal);
        AssertRestored("data/docs-of-ann");
        Assert.NotNull(new FileInfo(folder.In("docs")).LinkTarget);
    }

    [Fact]
    public async Task No_link_below_a_source_is_followed()
    {
        await BackUpAsync("home/ann");
        Directory.Delete(folder.In("var/home/ann"), recursive: true);
        Directory.CreateDirectory(folder.In("var/home/ann"));
        Directory.CreateDirectory(folder.In("other"));
        Directory.CreateSymbolicLink(folder.In("var/home/ann/sub"), folder.In("other"));

        CliRun run = await CliRun.OfAsync(Backup, "--yes");
        Assert.True(run.ExitCode == ExitCodes.Incomplete, run.Output + run.Error);
        Assert.True(File.Exists(folder.In("var/home/ann/a")));
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder.In("other")));
    }

    [Fact]
    public async Task A_folder_of_the_version_above_the_selection_is_not_followed()
    {
        await BackUpAsync("home/ann");
        Directory.Delete(folder.In("var/home/ann/sub"), recursive: true);
        Directory.CreateDirectory(folder.In("other"));
        Directory.CreateSymbolicLink(folder.In("var/home/ann/sub"), folder.In("other"));
        CliRun run = await CliRun.OfAsync(Backup, folder.In("home/ann/sub/b"), "--yes");
        Assert.True(run.ExitCode == ExitCodes.Incomplete, run.Output + run.Error);
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder.In("other")));
    }

    [Fact]
    public async Task A_link_that_leads_nowhere_is_named_by_the_dry_run_with_what_to_do()
    {
        await BackUpAsync("home/ann");
        Directory.Delete(folder.In("var/home"), recursive: true);
        CliRun dry = await CliRun.OfAsync(Backup, "--yes", "--dry-run");
        Assert.Equal(ExitCodes.Incomplete, dry.ExitCode);
        Assert.Contains(
            $"Its place is behind the link {folder.In("home")}, which does not lead to a folder",
            dry.Output,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "Give the folder that the link leads to as --restore-path",
            dry.Output,
            StringComparison.Ordinal
        );
    }

    private void AssertRestored(string place)
    {
        Assert.Equal("a", File.ReadAllText(folder.In(place + "/a")));
        Assert.Equal("b", File.ReadAllText(folder.In(place + "/sub/b")));
    }

    private void Write(string path, string content)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(folder.In(path))!);
        File.WriteAllText(folder.In(path), content);
    }

    private async Task BackUpAsync(string source)
    {
        CliRun made = await CliRun.OfAsync("backup", folder.In(source), Backup, "--no-encryption");
        Assert.True(made.ExitCode == ExitCodes.Complete, made.Output + made.Error);
    }
}
