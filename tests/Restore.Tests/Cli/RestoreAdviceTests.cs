using System.Globalization;
using System.Text.RegularExpressions;
using Restore.Cli;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Cli;

/// <summary>What a restore says when it takes less than was meant, and what can be done.</summary>
public sealed class RestoreAdviceTests
{
    [Fact]
    public async Task A_folder_in_any_place_is_restored_with_what_is_in_it()
    {
        using var folder = new TempFolder();
        var run = await CliRun.OfAsync(Fixtures.Backup("plain-1mb"), "*/docs/", "-t", folder.Root);
        Assert.Equal((ExitCodes.Complete, ""), (run.ExitCode, run.Error));
        Assert.NotEmpty(Directory.GetFiles(folder.Root, "readme.txt", SearchOption.AllDirectories));

        var only = await CliRun.OfAsync(Fixtures.Backup("plain-1mb"), "--include=*/docs/", "-t", folder.Root);
        Assert.Equal(
            "Warning: no file is selected, only 1 folder; '*/docs/*' takes what is in folders of that name\n",
            only.Error
        );
    }

    [Theory]
    [InlineData("docs")]
    [InlineData("*/docs/")]
    public async Task A_folder_is_found_without_what_is_in_it(string name)
    {
        var run = await CliRun.OfAsync("find", Fixtures.Backup("plain-1mb"), name);
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Contains("/docs/", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("readme.txt", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("docs")]
    [InlineData("docs/")]
    [InlineData("doc*")]
    public async Task A_name_is_that_of_files_and_folders_everywhere(string name)
    {
        var run = await CliRun.OfAsync(
            Fixtures.Backup("plain-1mb"),
            name,
            "-t",
            "/there/is/no/such/folder",
            "--dry-run"
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.DoesNotContain("Selected  0 files", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("no file is selected", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Of_several_names_each_that_selects_nothing_is_named()
    {
        using var folder = new TempFolder();
        var run = await CliRun.OfAsync(
            Fixtures.Backup("plain-1mb"),
            "readme.txt",
            "docs",
            "nosuch.txt",
            "/no/such/",
            "-t",
            folder.Root
        );
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Equal(
            "Warning: 'nosuch.txt' selects nothing in version 0; 'restore find' shows in which versions a file is\n"
                + "Warning: '/no/such/' selects nothing in version 0; 'restore find' shows in which versions a file is\n",
            run.Error
        );
    }

    [Fact]
    public async Task A_relative_path_says_what_it_could_have_meant()
    {
        var run = await CliRun.OfAsync(Fixtures.Backup("plain-1mb"), "out/here", "--dry-run");
        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        Assert.StartsWith("Nothing in version 0 is selected by: 'out/here'\n", run.Error, StringComparison.Ordinal);
        Assert.Contains("'*/out/here'", run.Error, StringComparison.Ordinal);
        Assert.Contains("--restore-path=out/here", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_loss_names_the_option_that_looks_elsewhere_and_counts_each_volume_once()
    {
        using var folder = new TempFolder();
        var backup = FixtureCatalog.BackupsOf("damaged/dblock-empty-plain").Single();
        var run = await CliRun.OfAsync(backup.Location, "-t", folder.Root);
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Contains("  Elsewhere --salvage-versions looks for what is lost", run.Output, StringComparison.Ordinal);
        var fetched = int.Parse(
            Regex.Match(run.Output, "([0-9]+) volumes? with data").Groups[1].Value,
            CultureInfo.InvariantCulture
        );
        Assert.InRange(fetched, 1, Directory.GetFiles(backup.Location, "*.dblock.*").Length);
        var salvaged = await CliRun.OfAsync(backup.Location, "-t", folder.Root, "--salvage-versions");
        Assert.Contains(
            "  Elsewhere nothing: no other version has such a file whole",
            salvaged.Output,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_list_that_is_incomplete_is_one_line_among_the_versions()
    {
        var location = FixtureCatalog.BackupsOf("damaged/newest-dlist-truncated-plain").Single().Location;
        var run = await CliRun.OfAsync("versions", location);
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Matches(@"^ +0  2026-[^\n]*\(incomplete: The file list of version 0[^\n]*\n +1  2026-", run.Output);

        var json = await CliRun.OfAsync("versions", location, "--json");
        Assert.Contains("\"problem\":\"The file list of version 0", json.Output, StringComparison.Ordinal);
        Assert.Contains("\"filesAdded\":", json.Output, StringComparison.Ordinal);
    }
}
