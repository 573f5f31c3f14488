using System.Text.Json;
using System.Text.RegularExpressions;
using Restore.Cli;
using Restore.Cli.Rendering;
using Restore.Interop;
using Restore.Tests.Ends;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Cli;

/// <summary>The report as a file: what is lost, and what would bring it back.</summary>
public sealed class ReportFileTests : IDisposable
{
    private static readonly BackupVersion Version = new(
        0,
        DateTimeOffset.UnixEpoch,
        "duplicati-19700101T000000Z.dlist.zip"
    );

    private readonly TempFolder folder = new();

    [Theory]
    [InlineData("damaged/dblock-missing-plain", false)]
    [InlineData("damaged/dblock-garbage-plain", true)]
    public async Task The_file_says_of_each_entry_what_is_lost_and_which_volume_would_bring_it_back(
        string fixture,
        bool isInStore
    )
    {
        var file = InFolder("report.json");
        var run = await CliRun.OfAsync(Fixtures.Backup(fixture), "--target", folder.Root, "--report", file);
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Contains(
            "  Remedy    sound copies of 1 volume would bring back what is lost:\n",
            run.Output,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "With them in place, the same restore with --overwrite replaces the damaged files\n",
            run.Output,
            StringComparison.Ordinal
        );
        var report = Read(file);
        Assert.False(report.GetProperty("complete").GetBoolean());
        Assert.Equal(ExitCodes.Incomplete, report.GetProperty("exitCode").GetInt32());
        var lost = report
            .GetProperty("issues")
            .EnumerateArray()
            .Where(issue => issue.GetProperty("lostRanges").GetArrayLength() > 0)
            .ToList();
        Assert.NotEmpty(lost);
        Assert.All(
            lost,
            issue => Assert.Contains(issue.GetProperty("state").GetString(), new[] { "partial", "absent" })
        );
        var volume = Assert.Single(report.GetProperty("lostVolumes").EnumerateArray());
        Assert.Equal(isInStore, volume.GetProperty("inStore").GetBoolean());
        Assert.All(
            lost,
            issue =>
                Assert.Contains(
                    volume.GetProperty("name").GetString(),
                    issue.GetProperty("volumes").EnumerateArray().Select(name => name.GetString())
                )
        );
        Assert.Equal(lost.Sum(LostBytes), volume.GetProperty("bytes").GetInt64());
    }

    [Theory]
    [InlineData("--report")]
    [InlineData("--metrics")]
    [NeedsLinux]
    public async Task A_pipe_or_a_device_is_not_replaced_by_the_file(string option)
    {
        var pipe = InFolder("pipe");
        Native.Fifo(pipe);
        var run = await CliRun.OfAsync("verify", Fixtures.Backup("plain-1mb"), option, pipe);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains(
            $"{option}: {pipe} is a pipe, a socket or a device, not a file",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.True(SpecialFile.IsAt(pipe));
    }

    [Fact]
    public async Task The_page_shows_what_each_process_waited_for()
    {
        var file = InFolder("report.html");
        var run = await CliRun.OfAsync(
            "verify",
            Fixtures.Backup("plain-1mb"),
            "--report",
            file,
            "--quiet",
            "--internal-profiling"
        );
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        var page = await File.ReadAllTextAsync(file);
        Assert.Contains("<tr><td>VolumeDecompressor</td>", page, StringComparison.Ordinal);
        Assert.Contains("fill=\"seagreen\"", page, StringComparison.Ordinal);
    }

    [Fact]
    public void The_page_plots_the_rate_over_time_in_a_bounded_number_of_points()
    {
        var history = new RunHistory(new QuietProgressView());
        for (var tenth = 0; tenth < 5000; tenth++)
        {
            history.Report(
                new RestoreProgress(
                    RestorePhase.Restoring,
                    0,
                    1,
                    tenth * 100_000L,
                    1,
                    0,
                    1,
                    tenth * 50_000L,
                    TimeSpan.FromMilliseconds(tenth * 100)
                )
            );
        }

        Assert.InRange(history.Points.Count, 100, 400);
        var plot = CliRun.Text(page => ReportPlot.Write(page, history));
        Assert.Contains(">512.0 KiB/s</text>", plot, StringComparison.Ordinal);
        Assert.Contains(">2 min 00 s</text>", plot, StringComparison.Ordinal);
        Assert.Contains("<polyline fill=\"none\" stroke=\"currentColor\"", plot, StringComparison.Ordinal);
        Assert.Contains("Up to 976.6 KiB/s, over 8 min", plot, StringComparison.Ordinal);
        Assert.Empty(CliRun.Text(page => ReportPlot.Write(page, new RunHistory(new QuietProgressView()))));
    }

    [Fact]
    public async Task A_drill_has_a_report_too_and_replaces_the_one_before()
    {
        var file = InFolder("report.txt");
        await File.WriteAllTextAsync(file, "the one before");
        var run = await CliRun.OfAsync("verify", Fixtures.Backup("plain-1mb"), "--report", file, "--quiet");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        var text = await File.ReadAllTextAsync(file);
        Assert.StartsWith("Report of 2026-", text, StringComparison.Ordinal);
        Assert.Contains("nothing was written\n", text, StringComparison.Ordinal);
        Assert.Contains("  Complete  nothing is lost\n", text, StringComparison.Ordinal);
        Assert.Equal([file], Directory.GetFileSystemEntries(folder.Path));
    }

    [Theory]
    [InlineData("report.json", "\"failed\":true,\"exitCode\":5,\"error\":\"")]
    [InlineData("report.html", ">Failed, exit code 5</h1>")]
    [InlineData("report", "Failed: ")]
    public async Task A_run_that_fails_leaves_a_report(string name, string part)
    {
        var run = await CliRun.OfAsync("verify", InFolder("no-backup"), "--report", InFolder(name));
        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        Assert.Contains(part, await File.ReadAllTextAsync(InFolder(name)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_report_among_the_restored_files_is_refused_before_anything_is_written()
    {
        foreach (var file in new[] { folder.In("report.html"), folder.In("docs/../docs/readme.txt") })
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(file))!);
            var run = await CliRun.OfAsync(Fixtures.Backup("plain-1mb"), "--target", folder.Root, "--report", file);
            Assert.Equal(ExitCodes.Usage, run.ExitCode);
            Assert.Contains(
                "is where entries are restored to; give a file elsewhere\n",
                run.Error,
                StringComparison.Ordinal
            );
            Assert.Empty(Directory.GetFiles(folder.Root, "*", SearchOption.AllDirectories));
        }
    }

    [Fact]
    public async Task A_run_that_fails_before_its_plan_is_made_writes_nothing_into_the_target_either()
    {
        Directory.CreateDirectory(folder.Root);
        var run = await CliRun.OfAsync(
            InFolder("no-backup"),
            "--target",
            folder.Root,
            "--report",
            folder.In("report.html")
        );
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Empty(Directory.GetFileSystemEntries(folder.Root));
    }

    [Theory]
    [InlineData("no-folder/report.json", "cannot be written: its folder does not exist")]
    [InlineData(".", "is a folder")]
    [InlineData("/dev/null", "is a device, not a file")]
    public async Task A_report_that_cannot_be_written_is_refused_before_the_run(string name, string problem)
    {
        var run = await CliRun.OfAsync(
            "verify",
            Fixtures.Backup("plain-1mb"),
            "--report",
            Path.Combine(folder.Path, name)
        );
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains(problem, run.Error, StringComparison.Ordinal);
        Assert.Empty(run.Output);
    }

    [Fact]
    public void A_page_asks_nothing_of_another_place_and_runs_nothing_whatever_the_names()
    {
        const string Hostile = "/a/<img src=x onerror=alert(1)>\"'&\u202Etxt.\n<script>";
        RestoreReport report = new()
        {
            Version = Version,
            Target = "/out",
            Issues =
            [
                new RestoreIssue(IssueKind.Damaged, Hostile, Hostile)
                {
                    TargetPath = Hostile,
                    LostRanges = [new ByteRange(0, 10)],
                    LostRangesLeftOut = 7,
                    Volumes = [Hostile],
                    VolumesLeftOut = 3,
                },
                new RestoreIssue(IssueKind.Warning, Hostile, Hostile),
            ],
            LostVolumes = [new LostVolume(Hostile, IsInStore: false, Entries: 1, Bytes: 10)],
        };
        var page = CliRun.Text(output => ReportFile.Write(output, "report.html", report, new FakeClock()));
        Assert.DoesNotContain("<img", page, StringComparison.Ordinal);
        Assert.DoesNotContain("<script", page, StringComparison.Ordinal);
        Assert.DoesNotContain("\u202E", page, StringComparison.Ordinal);
        Assert.DoesNotContain("http:", page, StringComparison.Ordinal);
        Assert.DoesNotContain("https:", page, StringComparison.Ordinal);
        Assert.Contains("default-src 'none'", page, StringComparison.Ordinal);
        Assert.Contains("<td class=\"word\" data-head=\"State\">partial</td>", page, StringComparison.Ordinal);
        Assert.Contains("0 to 9<br>and 7 more ranges", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Losses_come_by_folder_and_what_all_of_a_folder_share_is_said_once()
    {
        RestoreReport report = new()
        {
            Version = Version,
            Target = "/out",
            LostVolumes = [new("duplicati-b3.dblock.zip", false, 31, 3000)],
            Issues =
            [
                .. Enumerable
                    .Range(0, 30)
                    .Select(i => new RestoreIssue(
                        IssueKind.Missing,
                        $"/home/ann/Photos/IMG_{i}.jpg",
                        "Its data is lost"
                    )
                    {
                        LostRanges = [new ByteRange(0, 100 + i)],
                        Volumes = ["duplicati-b1.dblock.zip"],
                    }),
                new RestoreIssue(IssueKind.Damaged, "/home/ann/letter.txt", "3 bytes are lost")
                {
                    LostRanges = [new ByteRange(4, 7)],
                    Volumes = ["duplicati-b2.dblock.zip"],
                },
                new RestoreIssue(
                    IssueKind.LeftOut,
                    "/home/ann/venv/python",
                    "The link points out of the target folder"
                ),
            ],
        };
        var page = CliRun
            .Text(output => ReportFile.Write(output, "report.html", report, new FakeClock()))
            .Replace("<wbr>", "", StringComparison.Ordinal);
        Assert.Contains(
            "<h1 class=\"lost\">31 entries are damaged, missing or refused</h1>",
            page,
            StringComparison.Ordinal
        );
        Assert.Single(Regex.Matches(page, "duplicati-b1.dblock.zip"));
        Assert.Contains("the same restore with --overwrite replaces the damaged files", page, StringComparison.Ordinal);
        Assert.Single(Regex.Matches(page, "Its data is lost"));
        Assert.Matches(
            "(?s)Lost: 31 entries.*/home/ann/Photos/.*missing, 30 entries.*/home/ann/<.*damaged, 1 entry.*Left out: 1 entry.*/home/ann/venv/",
            page
        );
        Assert.Contains("data-head=\"Lost bytes\">4 to 6</td>", page, StringComparison.Ordinal);

        var left = CliRun.Text(output =>
            ReportFile.Write(output, "report.html", report with { Issues = [report.Issues[^1]] }, new FakeClock())
        );
        Assert.Contains("<h1 class=\"left\">1 link was left out; nothing is lost</h1>", left, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_restore_to_the_original_places_covers_the_paths_of_its_files()
    {
        await using Backup backup = await Backup.OpenAsync(Fixtures.Backup("plain-1mb"));
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions());
        Assert.True(plan.Covers("/tmp/fx/src/plain-1mb/data/docs/readme.txt"));
        Assert.True(plan.Covers("/tmp/fx/src/plain-1mb/data/docs/README.txt/below"));
        Assert.False(plan.Covers("/tmp/fx/src/plain-1mb/data/docs/readme.txt2"));
        Assert.False(plan.Covers("/tmp/fx/src/plain-1mb/data/report.html"));
    }

    public void Dispose() => folder.Dispose();

    private static JsonElement Read(string file)
    {
        using var document = JsonDocument.Parse(File.ReadAllText(file));
        return document.RootElement.Clone();
    }

    private static long LostBytes(JsonElement issue) =>
        issue.GetProperty("lostRanges").EnumerateArray().Sum(range => range[1].GetInt64() - range[0].GetInt64());

    private string InFolder(string name) => Path.Combine(folder.Path, name);
}
