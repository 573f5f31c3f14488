using System.Text.Json;
using Restore.Cli;
using Restore.Tests.Maintenance.Keeping;

namespace Restore.Tests.Cli;

/// <summary>The commands that keep a backup small.</summary>
public sealed class KeepingCommandTests
{
    /// <summary>The options that these tests cover.</summary>
    public static readonly string[] Options =
    [
        "--keep-versions",
        "--keep-time",
        "--retention-policy",
        "--allow-full-removal",
        "--disable-time-tolerance",
        "--threshold",
        "--small-file-size",
        "--small-file-max-count",
        "--dblock-size",
        "--break-lock",
    ];

    [Fact]
    public async Task Delete_shows_which_versions_go_and_why_and_a_dry_run_keeps_them()
    {
        using var kept = await KeptBackup.WriteAsync(1, versions: 4);
        var before = Names(kept);
        var dry = await CliRun.OfAsync("delete", kept.Location, "--keep-versions=2", "--dry-run");
        Assert.Equal(ExitCodes.Complete, dry.ExitCode);
        Assert.Contains("   1  2026-01-03", dry.Output, StringComparison.Ordinal);
        Assert.Contains("stays  full version 2 of 2\n", dry.Output, StringComparison.Ordinal);
        Assert.Contains("goes   enough newer full versions are kept\n", dry.Output, StringComparison.Ordinal);
        Assert.Contains("2 versions go with ", dry.Output, StringComparison.Ordinal);
        Assert.Equal(before, Names(kept));

        var run = await CliRun.OfAsync("delete", kept.Location, "--keep-versions=2", "--yes");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Contains(
            "Deleted 2 versions, 2 left. The data that only they needed goes with 'restore compact'\n",
            run.Output,
            StringComparison.Ordinal
        );
        Assert.Equal(before.Length - 2, Names(kept).Length);
        var again = await CliRun.OfAsync("delete", kept.Location, "--keep-versions=2", "--yes");
        Assert.Contains("No version goes; 2 versions stay\n", again.Output, StringComparison.Ordinal);
        await kept.AssertRestorableAsync(kept.Times.TakeLast(2));
    }

    [Theory]
    [InlineData("--version=0,2-3", 1)]
    [InlineData("--version=3", 3)]
    [InlineData("--version=3-2", 2)]
    [InlineData("--keep-time=2026-01-03T00:00Z", 2)]
    [InlineData("--keep-time=2026-01-03T01:00Z", 2)]
    [InlineData("--keep-time=2026-01-03T01:00Z --disable-time-tolerance", 1)]
    [InlineData("--retention-policy=U:2D", 3)]
    [InlineData("--version=0-3", 1)]
    [InlineData("--retention-policy=1D:U", 1)]
    public async Task Each_rule_leaves_what_it_should(string options, int left)
    {
        using var kept = await KeptBackup.WriteAsync(2, versions: 4);
        var run = await CliRun.OfAsync(["delete", kept.Location, .. options.Split(' '), "--yes", "--json"]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        using var json = JsonDocument.Parse(run.Output);
        Assert.Equal(4 - left, json.RootElement.GetProperty("deleted").GetArrayLength());
        Assert.Equal(left, Directory.GetFiles(kept.Location, "*.dlist*").Length);
    }

    [Fact]
    public async Task All_versions_go_only_if_all_may()
    {
        using var kept = await KeptBackup.WriteAsync(3, versions: 2);
        var run = await CliRun.OfAsync("delete", kept.Location, "--version=0-1", "--allow-full-removal", "--yes");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Empty(Directory.GetFiles(kept.Location, "*.dlist*"));
    }

    [Theory]
    [InlineData("y", 1)]
    [InlineData("n", 3)]
    public async Task Both_ask_with_the_plan_before_it(string answer, int versionsLeft)
    {
        using var kept = await KeptBackup.WriteAsync(4, versions: 3);
        var asked = "";
        CliEnvironment Answering(CliEnvironment environment) =>
            environment with
            {
                Ask = prompt =>
                {
                    asked += prompt;
                    return answer;
                },
            };

        var deletion = await CliRun.OfAsync(Answering, "delete", kept.Location, "--keep-versions=1");
        Assert.Equal("Delete 2 versions? [y/N] ", asked);
        Assert.Contains("2 versions go with ", deletion.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("versions go with ", deletion.Output, StringComparison.Ordinal);
        Assert.Equal(answer == "y" ? ExitCodes.Complete : ExitCodes.Interrupted, deletion.ExitCode);
        Assert.Equal(versionsLeft, Directory.GetFiles(kept.Location, "*.dlist*").Length);

        asked = "";
        await CliRun.OfAsync("delete", kept.Location, "--keep-versions=1", "--yes");
        var before = Names(kept);
        var compact = await CliRun.OfAsync(Answering, "compact", kept.Location);
        Assert.Equal("Compact? [y/N] ", asked);
        Assert.Contains("  To delete  ", compact.Error, StringComparison.Ordinal);
        Assert.Equal(answer == "y" ? ExitCodes.Complete : ExitCodes.Interrupted, compact.ExitCode);
        Assert.Equal(answer == "y", !Names(kept).SequenceEqual(before));
        await kept.AssertRestorableAsync(kept.Times.TakeLast(1));
    }

    [Fact]
    public async Task Compact_says_that_volumes_without_waste_go_because_they_are_small()
    {
        using var kept = await KeptBackup.WriteAsync(5, versions: 4);
        var dry = await CliRun.OfAsync("compact", kept.Location, "--small-file-max-count=1", "--dry-run");
        Assert.Contains("Some only because they are small for --dblock-size", dry.Output, StringComparison.Ordinal);
        dry = await CliRun.OfAsync("compact", kept.Location, "--small-file-size=0", "--dry-run");
        Assert.DoesNotContain("Some only because", dry.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Compact_shows_its_plan_and_says_what_it_won()
    {
        using var kept = await KeptBackup.WriteAsync(5, versions: 4, "secret");
        await CliRun.OfAsync("delete", kept.Location, "--passphrase=secret", "--keep-versions=1", "--yes");
        var before = Names(kept);
        string[] command =
        [
            "compact",
            kept.Location,
            "--passphrase=secret",
            "--threshold=10",
            "--small-file-size=0",
            "--small-file-max-count=1000",
        ];
        var dry = await CliRun.OfAsync([.. command, "--dry-run"]);
        Assert.Equal(ExitCodes.Complete, dry.ExitCode);
        Assert.Contains("  To rewrite ", dry.Output, StringComparison.Ordinal);
        Assert.Contains(" % waste\n", dry.Output, StringComparison.Ordinal);
        Assert.Equal(before, Names(kept));

        var run = await CliRun.OfAsync([.. command, "--dblock-size=1mb", "--yes"]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Contains("Compacted in ", run.Output, StringComparison.Ordinal);
        Assert.Contains(" won\n", run.Output, StringComparison.Ordinal);
        await kept.AssertRestorableAsync(kept.Times.TakeLast(1));

        var again = await CliRun.OfAsync([.. command, "--json"]);
        using var json = JsonDocument.Parse(again.Output);
        Assert.Empty(json.RootElement.GetProperty("dead").EnumerateArray());
        Assert.True(json.RootElement.GetProperty("complete").GetBoolean());
    }

    [Theory]
    [InlineData(
        "delete /backup",
        "Say which versions stay with --keep-versions, --keep-time or --retention-policy, or which go with --version"
    )]
    [InlineData(
        "delete /backup --keep-versions=1 --keep-time=3M",
        "--keep-versions and --keep-time exclude each other; give one of them"
    )]
    [InlineData(
        "delete /backup --retention-policy=7D",
        "--retention-policy: '7D' is not a time frame with an interval, such as 7D:1D"
    )]
    [InlineData(
        "delete /backup --retention-policy=0s:0s",
        "--retention-policy: '0s:0s' has a time frame without length"
    )]
    [InlineData("delete /backup --keep-time=0s", "--keep-time: the time is not in the past")]
    [InlineData("delete /backup --keep-time=2050-01-01", "--keep-time: the time is not in the past")]
    [InlineData("delete /backup --keep-versions=0", "--keep-versions=0 keeps all versions")]
    [InlineData(
        "compact /backup --threshold=101",
        "--threshold: '101' cannot be used; give a whole number from 0 to 100"
    )]
    public async Task What_makes_no_sense_is_a_usage_error(string command, string sentence)
    {
        var run = await CliRun.OfAsync(command.Split(' '));
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(sentence, run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_anybody_to_ask_it_is_a_usage_error_and_an_unknown_version_is_named()
    {
        using var kept = await KeptBackup.WriteAsync(6, versions: 2);
        var before = Names(kept);
        var run = await CliRun.OfAsync("delete", kept.Location, "--keep-versions=1");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains("1 version would be deleted from ", run.Error, StringComparison.Ordinal);
        var unknown = await CliRun.OfAsync("delete", kept.Location, "--version=1,5-2000000000", "--yes");
        Assert.Equal(ExitCodes.NotFound, unknown.ExitCode);
        Assert.Contains("There is no version 5", unknown.Error, StringComparison.Ordinal);
        Assert.Equal(before, Names(kept));
    }

    [Fact]
    public async Task A_lock_stops_it_until_it_is_broken()
    {
        using var kept = await KeptBackup.WriteAsync(7, versions: 2);
        await File.WriteAllTextAsync(
            Path.Join(kept.Location, "restore-lock.duplicati.20260101T000000Z.0123.other"),
            ""
        );
        string[] command = ["delete", kept.Location, "--keep-versions=1", "--yes"];
        var locked = await CliRun.OfAsync(command);
        Assert.Equal(ExitCodes.TargetNotWritable, locked.ExitCode);
        Assert.StartsWith("Another program writes to the backup", locked.Error, StringComparison.Ordinal);
        Assert.Contains("--break-lock removes it", locked.Error, StringComparison.Ordinal);
        var immutable = await CliRun.OfAsync([.. command, "--break-lock", "--immutable"]);
        Assert.Equal(ExitCodes.TargetNotWritable, immutable.ExitCode);
        Assert.StartsWith("Nothing can be deleted there", immutable.Error, StringComparison.Ordinal);
        Assert.Equal(2, Directory.GetFiles(kept.Location, "*.dlist.*").Length);
        Assert.Equal(ExitCodes.Complete, (await CliRun.OfAsync([.. command, "--break-lock"])).ExitCode);
        Assert.Single(Directory.GetFiles(kept.Location, "*.dlist.*"));
        Assert.Empty(Directory.GetFiles(kept.Location, "restore-lock.*"));
    }

    private static string[] Names(KeptBackup kept) =>
        [.. Directory.GetFiles(kept.Location).Order(StringComparer.Ordinal)];
}
