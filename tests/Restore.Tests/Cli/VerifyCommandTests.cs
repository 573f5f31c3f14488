using System.Text.Json;
using Restore.Cli;
using Restore.Tests.Trust;

namespace Restore.Tests.Cli;

/// <summary>
/// Drills as a scheduler runs them: which versions, how much of them, and what it reports.
/// </summary>
public sealed class VerifyCommandTests : IDisposable
{
    public static readonly string[] Options =
    [
        "--all-versions",
        "--since",
        "--sample",
        "--seed",
        "--metrics",
        "--history",
    ];

    private readonly TempFolder folder = new();

    [Fact]
    public async Task All_versions_are_verified_in_one_run_that_reads_each_volume_once()
    {
        var run = await CliRun.OfAsync("verify", Fixtures.Backup("plain-1mb"), "--all-versions", "--json");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        using var report = JsonDocument.Parse(run.Output);
        var root = report.RootElement;
        Assert.True(root.GetProperty("complete").GetBoolean());
        Assert.Equal(
            Directory.GetFiles(Fixtures.Backup("plain-1mb"), "*.dblock*").Length,
            root.GetProperty("volumesFetched").GetInt32()
        );
        Assert.Equal(3, root.GetProperty("drill").GetProperty("versionsCovered").GetInt32());
        Assert.Equal(1, root.GetProperty("drill").GetProperty("bytesShare").GetDouble());
    }

    [Fact]
    public async Task A_loss_in_an_old_version_is_found_and_says_in_which_versions_the_file_has_it()
    {
        var text = await CliRun.OfAsync("verify", Fixtures.Backup("damaged/dblock-missing-plain"), "--all-versions");
        Assert.Equal(ExitCodes.Incomplete, text.ExitCode);
        Assert.StartsWith("Verified ", text.Output, StringComparison.Ordinal);
        Assert.Matches(@"\n            In versions? \d", text.Output);
        Assert.Matches(@"\n  Covered   100 % of the bytes, .* files, \d of \d versions\n", text.Output);
    }

    [Fact]
    public async Task A_sample_covers_its_share_and_the_same_seed_chooses_the_same_files()
    {
        var first = await SampleAsync("--sample=20%", "--seed=7");
        var second = await SampleAsync("--sample=20", "--seed", "7");
        var other = await SampleAsync("--sample=20%", "--seed=8");
        Assert.InRange(first.GetProperty("drill").GetProperty("bytesShare").GetDouble(), 0.2, 0.9);
        Assert.Equal(7, first.GetProperty("drill").GetProperty("seed").GetInt32());
        Assert.Equal(Figures(first), Figures(second));
        Assert.NotEqual(Figures(first), Figures(other));
        Assert.True(
            first.GetProperty("drill").GetProperty("filesCovered").GetInt64()
                < first.GetProperty("drill").GetProperty("files").GetInt64()
        );
    }

    [Fact]
    public async Task A_sample_has_the_file_that_claims_nearly_all_bytes_whatever_its_metadata_adds()
    {
        using var backup = new MadeBackup(MadeBackup.HugeBlockBytes);
        backup.Huge("/data/huge", MadeBackup.Metadata());
        for (var i = 0; i < 5; i++)
        {
            backup.File($"/data/{i}", [1, 2, (byte)i], MadeBackup.Metadata());
        }

        backup.Write();
        for (var seed = 1; seed <= 5; seed++)
        {
            var run = await CliRun.OfAsync("verify", backup.Source, "--sample=1%", $"--seed={seed}");
            Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
            Assert.Contains("/data/huge", run.Output, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Versions_since_a_time_are_verified_and_a_backup_without_one_is_reported()
    {
        var some = await CliRun.OfAsync(
            "verify",
            Fixtures.Backup("plain-1mb"),
            "--since=2026-11-21T13:30:31Z",
            "--json"
        );
        using var report = JsonDocument.Parse(some.Output);
        Assert.False(report.RootElement.TryGetProperty("drill", out _));
        var none = await CliRun.OfAsync("verify", Fixtures.Backup("plain-1mb"), "--since=2026-11-22");
        Assert.Equal(ExitCodes.NotFound, none.ExitCode);
        Assert.StartsWith("There is no version made since ", none.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_version_with_a_damaged_list_is_a_loss_and_the_others_are_verified()
    {
        var run = await CliRun.OfAsync(
            "verify",
            Fixtures.Backup("damaged/newest-dlist-corrupt-plain"),
            "--all-versions"
        );
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Matches(@"\n  damaged   duplicati-\w+\.dlist\.zip\n", run.Output);
        Assert.DoesNotContain("Verified 0 files", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Metrics_are_written_for_a_run_that_ends_and_for_one_that_fails()
    {
        var file = Path.Combine(folder.Path, "restore.prom");
        var run = await CliRun.OfAsync(
            "verify",
            Fixtures.Backup("damaged/dblock-missing-plain"),
            "--all-versions",
            "--metrics",
            file,
            "-q"
        );
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        var text = await File.ReadAllTextAsync(file);
        Assert.Contains(
            $"\nrestore_drill_success{{backup=\"{Fixtures.Backup("damaged/dblock-missing-plain")}\"}} 0\n",
            text,
            StringComparison.Ordinal
        );
        Assert.Matches(@"\nrestore_drill_exit_code\{[^}]*\} 2\n", text);
        Assert.Matches(@"\nrestore_drill_files_damaged\{[^}]*\} [1-9]\d*\n", text);
        Assert.Matches(@"\nrestore_drill_versions\{[^}]*\} [1-9]\n", text);
        Assert.Matches(@"^(# (HELP|TYPE) .*\n|[a-z_]+\{backup=""[^""]*""\} [0-9.E+-]+\n)+$", text);

        await CliRun.OfAsync("verify", Path.Combine(folder.Path, "a\"b\\c"), "--metrics", file);
        text = await File.ReadAllTextAsync(file);
        Assert.Matches(@"\nrestore_drill_exit_code\{[^}]*\} 5\n", text);
        Assert.Contains("a\\\"b\\\\c", text, StringComparison.Ordinal);
        Assert.Equal([file], Directory.GetFileSystemEntries(folder.Path));
    }

    [Fact]
    public async Task A_quiet_drill_prints_nothing_if_all_is_well_and_its_report_if_not()
    {
        Assert.Equal(new CliRun(0, "", ""), await CliRun.OfAsync("verify", Fixtures.Backup("plain-1mb"), "--quiet"));
        var lost = await CliRun.OfAsync("verify", Fixtures.Backup("damaged/dblock-missing-plain"), "--quiet");
        Assert.Equal(ExitCodes.Incomplete, lost.ExitCode);
        Assert.Contains("  Lost      ", lost.Output, StringComparison.Ordinal);
        var json = await CliRun.OfAsync("verify", Fixtures.Backup("plain-1mb"), "--quiet", "--json");
        Assert.Contains("\"summary\"", json.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--all-versions and --since name several versions", "--all-versions", "--version=1")]
    [InlineData("--all-versions and --since both name versions", "--all-versions", "--since=2D")]
    [InlineData("--seed is the seed of --sample, which is missing", "--seed=1", "--quiet")]
    [InlineData("--sample: '0' cannot be used; give a share above 0%", "--sample=0", "--quiet")]
    [InlineData("--sample: '101%' cannot be used; give a share above 0%", "--sample=101%", "--quiet")]
    [InlineData("--metrics needs a run", "--metrics=/tmp/restore.prom", "--dry-run")]
    public async Task Options_that_contradict_each_other_are_a_usage_error(string sentence, string first, string second)
    {
        var run = await CliRun.OfAsync("verify", Fixtures.Backup("plain-1mb"), first, second);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(sentence, run.Error, StringComparison.Ordinal);
    }

    public void Dispose() => folder.Dispose();

    private static (long Files, long Bytes) Figures(JsonElement report) =>
        (report.GetProperty("files").GetInt64(), report.GetProperty("bytes").GetInt64());

    private static async Task<JsonElement> SampleAsync(params string[] options)
    {
        var run = await CliRun.OfAsync(["verify", Fixtures.Backup("plain-1mb"), "--json", .. options]);
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        using var report = JsonDocument.Parse(run.Output);
        return report.RootElement.Clone();
    }
}
