using System.Diagnostics;
using Restore.Cli.Rendering;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Cli;

/// <summary>The scripts that systemd and cron start every night and every month.</summary>
public sealed class EveryNightTests : IDisposable
{
    private readonly TempFolder folder = new();

    public EveryNightTests()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "A shell script");
        Directory.CreateDirectory(folder.In("source"));
        Directory.CreateDirectory(folder.In("state"));
        File.WriteAllText(folder.In("restore"), $"#!/bin/sh\nexec {string.Join(' ', ProgramRun.CommandOf())} \"$@\"\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(folder.In("restore"), UnixFileMode.UserRead | UnixFileMode.UserExecute);
        }
    }

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task It_makes_a_version_and_deletes_old_ones_without_a_word()
    {
        Configure("--keep-versions=1");
        Assert.Equal((0, ""), await NightAsync("one"));
        Assert.Equal((0, ""), await NightAsync("two"));
        Assert.Single(Directory.GetFiles(folder.In("backup"), "*.dlist.*"));
        Assert.StartsWith(
            "Report of ",
            await File.ReadAllTextAsync(folder.In("state/backup.txt"), Token),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "restore_compact_success",
            await File.ReadAllTextAsync(folder.In("state/compact.prom"), Token),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Without_retention_all_versions_stay()
    {
        Configure();
        await NightAsync("one");
        await NightAsync("two");
        Assert.Equal(2, Directory.GetFiles(folder.In("backup"), "*.dlist.*").Length);
        Assert.False(File.Exists(folder.In("state/delete.txt")));
    }

    [Fact]
    public async Task Old_versions_go_although_a_source_was_a_link_and_the_exit_code_says_it()
    {
        Directory.CreateSymbolicLink(folder.In("link"), folder.In("source"));
        Configure("--keep-versions=1", $"--source={folder.In("link")}");
        await NightAsync("one");
        var (code, output) = await NightAsync("two");
        Assert.Equal(8, code);
        Assert.Contains("link", output, StringComparison.Ordinal);
        Assert.Single(Directory.GetFiles(folder.In("backup"), "*.dlist.*"));
    }

    [Fact]
    public async Task A_backup_that_fails_deletes_nothing()
    {
        Configure("--keep-versions=1");
        await NightAsync("one");
        Configure("--keep-versions=1", $"--source={folder.In("missing")}");
        var (code, output) = await NightAsync("two");
        Assert.Equal(5, code);
        Assert.NotEmpty(output);
        Assert.Single(Directory.GetFiles(folder.In("backup"), "*.dlist.*"));
    }

    [Fact]
    public async Task Each_month_a_drill_adds_itself_to_the_page_of_all_drills()
    {
        Configure("--keep-versions=1");
        await NightAsync("one");
        for (var month = 0; month < 2; month++)
        {
            var (code, output) = await ScriptAsync("every-month");
            Assert.DoesNotContain("Lost", output, StringComparison.Ordinal);
            Assert.Equal(0, code);
        }

        Assert.Equal(2, DrillHistory.Read(folder.In("state/drills.html")).Count);
        Assert.True(File.Exists(folder.In("state/drill.html")) && File.Exists(folder.In("state/drill.prom")));
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private void Configure(params string[] options) =>
        File.WriteAllLines(
            folder.In("home.conf"),
            [$"--target={folder.In("backup")}", $"--source={folder.In("source")}", "--no-encryption=true", .. options]
        );

    private async Task<(int Code, string Output)> NightAsync(string content)
    {
        await File.WriteAllTextAsync(folder.In("source/a.txt"), content, Token);
        return await ScriptAsync("every-night");
    }

    private async Task<(int Code, string Output)> ScriptAsync(string name)
    {
        ProcessStartInfo start = new(
            "/bin/sh",
            [Path.Combine(Fixtures.RepositoryRoot(), "deploy/systemd", name), folder.In("home.conf")]
        )
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        (start.Environment["RESTORE"], start.Environment["STATE_DIRECTORY"]) = (
            folder.In("restore"),
            folder.In("state")
        );
        using var process = Process.Start(start)!;
        var (output, error) = (
            process.StandardOutput.ReadToEndAsync(Token),
            process.StandardError.ReadToEndAsync(Token)
        );
        await process.WaitForExitAsync(Token);
        return (process.ExitCode, await output + await error);
    }
}
