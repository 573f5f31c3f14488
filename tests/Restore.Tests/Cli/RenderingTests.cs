using System.Globalization;
using System.Text.Json;
using Restore.Cli.Commands;
using Restore.Cli.Rendering;

namespace Restore.Tests.Cli;

public sealed class RenderingTests
{
    private static readonly FakeClock Clock = new();
    private static readonly BackupVersion Version = new(
        1,
        new DateTimeOffset(2026, 8, 30, 10, 0, 3, TimeSpan.Zero),
        "duplicati-20260830T100003Z.dlist.zip"
    );

    private static readonly RestoreIssue Damaged = new(
        IssueKind.Damaged,
        "/home/a/\u001b[2Jfilm",
        "Some of its blocks are lost"
    )
    {
        LostRanges = [new(0, 1024), new(4096, 8192)],
        Volumes = ["duplicati-b1.dblock.zip", "duplicati-b2.dblock.zip"],
        TargetPath = "/out/film",
        MetadataLost = true,
    };

    private static readonly RestoreReport Report = new()
    {
        Version = Version,
        Target = "/out",
        FilesRestored = 1234,
        FilesUnchanged = 1,
        FoldersRestored = 1,
        SymlinksRestored = 0,
        BytesRestored = 3L << 30,
        BytesReused = 1536,
        BytesWritten = 2L << 30,
        BytesFetched = 1L << 20,
        VolumesFetched = 12,
        Elapsed = TimeSpan.FromSeconds(90),
        Issues =
        [
            Damaged,
            new(IssueKind.Metadata, "/home/a/x", "The owner could not be set"),
            new(IssueKind.Warning, "duplicati-i1.dindex.zip", "It is damaged"),
        ],
        Profile =
        [
            new(
                "VolumeDecryptor",
                2,
                1200,
                3L << 20,
                TimeSpan.FromSeconds(5),
                TimeSpan.FromSeconds(10),
                TimeSpan.FromSeconds(5)
            ),
        ],
        Phases =
        [
            new(RestorePhase.LocatingBlocks, TimeSpan.FromSeconds(1.5)),
            new(RestorePhase.Restoring, TimeSpan.FromMinutes(61)),
        ],
        Choices = ["inflate: libdeflate"],
    };

    private static readonly PlanView Plan = new()
    {
        Version = Version,
        Target = null,
        Store = "s3://bucket/backup",
        Files = 2,
        Folders = 1,
        Symlinks = 1,
        Bytes = 5L << 20,
        FilesUnchanged = 1,
        BytesToWrite = 4L << 20,
        BytesToFetch = 3L << 20,
        BytesOfVolumes = 4L << 20,
        Requests = 2,
        BytesPerSecond = 2L << 20,
        Volumes = [new("duplicati-b1.dblock.zip", 4 << 20, 3 << 20) { Requests = 2 }],
        Issues = [new(IssueKind.Refused, "/a/../b", "Its path leaves the target")],
    };

    [Fact]
    public void A_report_says_what_was_restored_what_it_took_and_what_is_lost() =>
        Assert.Equal(
            """
            Restored 1,234 files, 1 folder, 0 links of version 1 of 2026-08-30 10:00:03 +00:00 to /out
              Content   3.0 GiB in 1 min 30 s (34.1 MiB/s)
              Written   2.0 GiB
              Fetched   1.0 MiB, 12 volumes with data
              Reused    1.5 KiB; 1 file was right already
              Lost      1 entry is damaged, missing or refused:
              damaged   /home/a/\u001B[2Jfilm
                        Some of its blocks are lost
                        Lost: bytes 0 to 1,023, bytes 4,096 to 8,191 (5.0 KiB)
                        Its metadata is lost
                        Volume: duplicati-b1.dblock.zip, duplicati-b2.dblock.zip
                        At: /out/film
              Warnings  2:
              metadata  /home/a/x
                        The owner could not be set
              warning   duplicati-i1.dindex.zip
                        It is damaged

            """,
            CliRun.Text(output => ReportText.Write(output, Report, Clock, ReportSize.Stream))
        );

    [Fact]
    public void Many_losses_on_a_terminal_come_by_folder_and_volume_after_the_remedy()
    {
        IEnumerable<RestoreIssue> Lost(string folder, string volume, int count) =>
            Enumerable
                .Range(0, count)
                .Select(file => new RestoreIssue(IssueKind.Missing, $"{folder}{file}", "All of its blocks are lost")
                {
                    Volumes = [volume],
                });
        var report = Report with
        {
            Issues =
            [
                .. Lost("/home/a/photos/", "b1.dblock.zip", 900),
                .. Lost("/home/a/", "b2.dblock.zip", 1),
                .. Lost("/home/a/photos/", "b2.dblock.zip", 30),
            ],
            LostVolumes = [new("b1.dblock.zip", false, 900, 3 << 20), new("b2.dblock.zip", true, 31, 1 << 20)],
        };
        var text = CliRun.Text(output => ReportText.Write(output, report, Clock, ReportSize.Screen));
        Assert.EndsWith(
            """
              Remedy    sound copies of 2 volumes would bring back what is lost:
                        b1.dblock.zip (missing, 900 entries, 3.0 MiB)
                        b2.dblock.zip (damaged, 31 entries, 1.0 MiB)
              Lost      931 entries are damaged, missing or refused:
              missing   /home/a/photos/ (900 entries)
                        All of its blocks are lost
                        Volume: b1.dblock.zip
              missing   /home/a/photos/ (30 entries)
                        All of its blocks are lost
                        Volume: b2.dblock.zip
              missing   /home/a/0
                        All of its blocks are lost
                        Volume: b2.dblock.zip
                        --verbose, --json and --report name each entry

            """,
            text,
            StringComparison.Ordinal
        );
        var whole = CliRun.Text(output => ReportText.Write(output, report, Clock, ReportSize.All));
        Assert.Contains("\n  missing   /home/a/photos/899\n", whole, StringComparison.Ordinal);
    }

    [Fact]
    public void Up_to_twenty_losses_on_a_terminal_are_all_named()
    {
        RestoreIssue Lost(IssueKind kind, string path, long bytes) =>
            new(kind, path, $"{bytes} of its bytes are lost")
            {
                Volumes = ["b1.dblock.zip", "b2.dblock.zip"],
                LostRanges = [new ByteRange(0, bytes)],
            };
        RestoreIssue[] issues =
        [
            Lost(IssueKind.Missing, "/a/letters/one.txt", 201),
            Lost(IssueKind.Missing, "/a/letters/two.txt", 90),
            .. Enumerable.Range(3, 4).Select(i => Lost(IssueKind.Damaged, $"/a/mail/{i}.eml", 7)),
        ];
        Assert.EndsWith(
            """
              Lost      6 entries are damaged, missing or refused:
              damaged   /a/mail/ (4 entries)
                        7 of its bytes are lost
                        3.eml: bytes 0 to 6 (7 bytes)
                        4.eml: bytes 0 to 6 (7 bytes)
                        5.eml: bytes 0 to 6 (7 bytes)
                        6.eml: bytes 0 to 6 (7 bytes)
                        Volume: b1.dblock.zip and others
              missing   /a/letters/ (2 entries)
                        one.txt: 201 of its bytes are lost
                        two.txt: 90 of its bytes are lost
                        Volume: b1.dblock.zip and others
                        --verbose, --json and --report have all volumes and byte ranges

            """,
            CliRun.Text(output => ReportText.Write(output, Report with { Issues = issues }, Clock, ReportSize.Screen)),
            StringComparison.Ordinal
        );
        var spread = CliRun.Text(output =>
            IssueText.Write(
                output,
                [.. Enumerable.Range(1, 20).Select(i => Lost(IssueKind.Missing, $"/{i}/lost", 1))],
                ReportSize.Screen
            )
        );
        Assert.Equal(20, spread.Split("/lost\n").Length - 1);
    }

    [Fact]
    public void Volumes_that_may_not_be_read_come_before_those_that_are_damaged()
    {
        var report = Report with
        {
            Issues = [],
            LostVolumes =
            [
                new("b1.dblock.zip", true, 9, 3 << 20),
                new("b2.dblock.zip", true, 31, 1 << 20) { IsRefused = true },
            ],
        };
        var text = CliRun.Text(output => ReportText.Write(output, report, Clock, ReportSize.Screen));
        Assert.EndsWith(
            """
              Refused   1 volume cannot be read: run it again as a user who may read this:
                        b2.dblock.zip (may not be read, 31 entries, 1.0 MiB)
              Remedy    sound copies of 1 volume would bring back what is lost:
                        b1.dblock.zip (damaged, 9 entries, 3.0 MiB)
              Complete  nothing is lost

            """,
            text,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_report_of_many_folders_takes_a_screen()
    {
        var report = Report with
        {
            Issues =
            [
                .. Enumerable
                    .Range(0, 50_000)
                    .Select(file => new RestoreIssue(IssueKind.Missing, $"/{file}/x", "It is lost")),
            ],
        };
        var text = CliRun.Text(output => ReportText.Write(output, report, Clock, ReportSize.Screen));
        Assert.InRange(text.Count(character => character == '\n'), 20, 32);
        Assert.EndsWith(" more; --verbose, --json and --report have them all\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_group_with_several_reasons_gives_that_of_its_first_entry()
    {
        var issues = Enumerable
            .Range(1, 50)
            .Select(i => new RestoreIssue(IssueKind.Missing, $"/a/{i}", $"All {i} bytes are lost"));
        var report = Report with { Issues = [.. issues] };
        var text = CliRun.Text(output => ReportText.Write(output, report, Clock, ReportSize.Screen));
        Assert.Contains(
            "/a/ (50 entries)\n            The first: 1: All 1 bytes are lost\n",
            text,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_drill_says_that_nothing_was_written() =>
        Assert.Equal(
            """
            Verified 1,234 files, 1 folder, 0 links of version 1 of 2026-08-30 10:00:03 +00:00; nothing was written
              Content   3.0 GiB in 1 min 30 s (34.1 MiB/s)
              Fetched   1.0 MiB, 12 volumes with data
              Complete  nothing is lost

            """,
            CliRun.Text(output =>
                ReportText.Write(
                    output,
                    Report with
                    {
                        VerifyOnly = true,
                        BytesReused = 0,
                        FilesUnchanged = 0,
                        Issues = [],
                    },
                    Clock,
                    ReportSize.Stream
                )
            )
        );

    [Fact]
    public void Every_loss_is_listed_but_of_many_warnings_only_some()
    {
        var losses = Enumerable.Range(0, 50).Select(i => new RestoreIssue(IssueKind.Missing, $"/lost/{i}", "Gone"));
        var warnings = Enumerable.Range(0, 50).Select(i => new RestoreIssue(IssueKind.Warning, $"/warned/{i}", "Odd"));
        RestoreIssue[] issues = [.. losses, .. warnings];
        var some = CliRun.Text(output => IssueText.Write(output, issues, ReportSize.Stream));
        Assert.Equal(50, some.Split("  missing   /lost/").Length - 1);
        Assert.Equal(20, some.Split("  warning   /warned/").Length - 1);
        Assert.Contains("and 30 more; --verbose, --json and --report have them all", some, StringComparison.Ordinal);
        Assert.Equal(
            50,
            CliRun.Text(output => IssueText.Write(output, issues, ReportSize.All)).Split("  warning   /warned/").Length
                - 1
        );
    }

    [Fact]
    public void Of_many_lost_ranges_the_first_are_shown_and_all_are_counted()
    {
        var issue = Damaged with
        {
            LostRanges = [.. Enumerable.Range(0, 100).Select(i => new ByteRange(i * 100, (i * 100) + 10))],
        };
        var text = CliRun.Text(output => IssueText.Write(output, [issue], ReportSize.Stream));
        Assert.Contains("bytes 700 to 709 and 92 more ranges (1,000 bytes)", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_plan_says_what_would_be_restored_and_fetched() =>
        Assert.Equal(
            """
            Would restore version 1 of 2026-08-30 10:00:03 +00:00 to the original places
              Selected  2 files, 1 folder, 1 link, 5.0 MiB
              Right     1 file at the target already
              To write  4.0 MiB
              From      s3://bucket/backup
              To fetch  3.0 MiB of 1 volume of 4.0 MiB, in 2 requests
              Time      1.5 s for that at 2.0 MiB/s
              Lost      1 entry is damaged, missing or refused:
              refused   /a/../b
                        Its path leaves the target

            """,
            CliRun.Text(output => PlanText.Write(output, Plan, Clock, ReportSize.All))
        );

    [Theory]
    [InlineData("0.09", 100L << 30, "  Cost      9.00 at 0.09 per GiB\n")]
    [InlineData("0.09", 512L << 20, "  Cost      0.045 at 0.09 per GiB\n")]
    [InlineData("0", 1L << 30, "  Cost      0.00 at 0 per GiB\n")]
    public void A_plan_with_a_price_says_the_cost(string price, long bytes, string line)
    {
        var plan = Plan with
        {
            BytesToFetch = bytes,
            PricePerGigabyte = decimal.Parse(price, CultureInfo.InvariantCulture),
        };
        Assert.Contains(
            line,
            CliRun.Text(output => PlanText.Write(output, plan, Clock, ReportSize.All)),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void What_was_fetched_to_make_a_plan_is_named_apart_and_counts_in_the_cost()
    {
        var plan = Plan with { BytesFetched = 5L << 20, PricePerGigabyte = 10 };
        Assert.Contains(
            """
              To fetch  3.0 MiB of 1 volume of 4.0 MiB, in 2 requests
              Time      1.5 s for that at 2.0 MiB/s
              Fetched   5.0 MiB of lists and index volumes, to make this plan
              Cost      0.0781 for 8.0 MiB in all at 10 per GiB
            """,
            CliRun.Text(output => PlanText.Write(output, plan, Clock, ReportSize.All)),
            StringComparison.Ordinal
        );
        var json = Parse(CliRun.Text(output => Json.Write(output, plan)));
        Assert.Equal(5L << 20, json.GetProperty("bytesFetched").GetInt64());
        Assert.Equal(0.078125, json.GetProperty("cost").GetDouble());
    }

    [Fact]
    public void A_plan_of_any_size_at_any_rate_has_a_time()
    {
        var plan = Plan with { BytesToFetch = long.MaxValue, BytesPerSecond = 1 };
        Assert.Contains(
            " h ",
            CliRun.Text(output => PlanText.Write(output, plan, Clock, ReportSize.All)),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_plan_as_json_has_every_figure()
    {
        var json = Parse(CliRun.Text(output => Json.Write(output, Plan with { PricePerGigabyte = 0.5m })));
        Assert.Equal("s3://bucket/backup", json.GetProperty("store").GetString());
        Assert.Equal(3L << 20, json.GetProperty("bytesToFetch").GetInt64());
        Assert.Equal(4L << 20, json.GetProperty("bytesOfVolumes").GetInt64());
        Assert.Equal(2, json.GetProperty("requests").GetInt32());
        Assert.Equal(1.5, json.GetProperty("secondsToFetch").GetDouble());
        Assert.Equal(2L << 20, json.GetProperty("bytesPerSecond").GetInt64());
        Assert.Equal(0.001465, json.GetProperty("cost").GetDouble());
        Assert.Equal(2, json.GetProperty("volumes")[0].GetProperty("requests").GetInt32());
        Assert.False(Parse(CliRun.Text(output => Json.Write(output, Plan))).TryGetProperty("cost", out _));
    }

    [Fact]
    public void A_list_of_volumes_is_their_names_and_nothing_else() =>
        Assert.Equal("duplicati-b1.dblock.zip\n", CliRun.Text(output => PlanText.WriteVolumes(output, Plan)));

    [Fact]
    public void The_profile_shows_shares_of_time_phases_memory_and_choices() =>
        Assert.Equal(
            """

            Process              Copies     Messages        MiB  Reading  Working  Writing
            VolumeDecryptor           2        1,200        3.0     25 %     50 %     25 %

            LocatingBlocks              1.5 s
            Restoring              1 h 01 min
            Peak memory             100.0 MiB
            inflate: libdeflate

            """,
            CliRun.Text(output => ProfileText.Write(output, Report, 100 << 20))
        );

    [Fact]
    public void A_report_as_json_has_every_number_and_every_issue()
    {
        var json = Parse(CliRun.Text(output => Json.Write(output, Json.Of(Report))));
        Assert.False(json.GetProperty("complete").GetBoolean());
        Assert.Equal("2026-08-30T10:00:03Z", json.GetProperty("version").GetProperty("time").GetString());
        Assert.Equal(90, json.GetProperty("seconds").GetDouble());
        Assert.Equal(1L << 20, json.GetProperty("bytesFetched").GetInt64());
        var damaged = json.GetProperty("issues")[0];
        Assert.Equal("damaged", damaged.GetProperty("kind").GetString());
        Assert.Equal("/home/a/\u001b[2Jfilm", damaged.GetProperty("path").GetString());
        Assert.Equal("[[0,1024],[4096,8192]]", damaged.GetProperty("lostRanges").GetRawText());
        Assert.Equal(3, json.GetProperty("issues").GetArrayLength());
        Assert.Equal("VolumeDecryptor", json.GetProperty("profile")[0].GetProperty("process").GetString());
    }

    [Fact]
    public void Json_is_one_line_and_holds_no_control_characters()
    {
        var text = CliRun.Text(output => Json.Write(output, Plan with { Target = "/out\u001b\n" }));
        Assert.Equal(1, text.Count(char.IsControl));
        Assert.Equal(3 << 20, Parse(text).GetProperty("volumes")[0].GetProperty("bytesToFetch").GetInt64());
        Assert.Equal("/out\u001b\n", Parse(text).GetProperty("target").GetString());
    }

    [Fact]
    public void Entries_are_lines_with_kind_size_time_and_path()
    {
        Assert.Equal(
            "-            1,234 2026-08-30 10:00:03 +00:00  /a/b\\u000Ac",
            EntryText.Line(new("/a/b\nc", BackupEntryKind.File, 1234, Version.Time), Clock)
        );
        Assert.Equal(
            "d                                              /a/",
            EntryText.Line(new("/a/", BackupEntryKind.Folder, 0, null), Clock)
        );
    }

    [Fact]
    public void Versions_with_the_same_file_are_one_line()
    {
        BackupVersion[] versions =
        [
            Version with
            {
                Index = 0,
            },
            Version,
            Version with
            {
                Index = 2,
            },
            Version with
            {
                Index = 4,
            },
        ];
        var same = new BackupEntry("/a", BackupEntryKind.File, 1, Version.Time);
        BackupEntry[] entries = [same with { SizeBytes = 1234 }, same, same, same];
        Assert.Equal(
            [
                "version 0 of 2026-08-30 10:00:03 +00:00, 1,234 bytes, modified 2026-08-30 10:00:03 +00:00",
                "versions 1 to 2, 4 of 2026-08-30 10:00:03 +00:00 to 2026-08-30 10:00:03 +00:00, 1 byte, modified 2026-08-30 10:00:03 +00:00",
            ],
            EntryText.Versions([.. versions.Zip(entries)], Clock)
        );
    }

    [Theory]
    [InlineData(0, "0 bytes")]
    [InlineData(1, "1 byte")]
    [InlineData(1023, "1,023 bytes")]
    [InlineData(1024, "1.0 KiB")]
    [InlineData((1L << 20) - 1, "1.0 MiB")]
    [InlineData(5L << 30, "5.0 GiB")]
    [InlineData(long.MaxValue, "8.0 EiB")]
    public void Sizes_count_in_1024(long bytes, string text) => Assert.Equal(text, Units.Bytes(bytes));

    [Fact]
    public void Times_are_in_the_zone_of_the_user()
    {
        var clock = new FakeClock { Zone = TimeZoneInfo.CreateCustomTimeZone("x", TimeSpan.FromHours(-3.5), "x", "x") };
        Assert.Equal("2026-08-30 06:30:03 -03:30", Units.Time(Version.Time, clock));
    }

    private static JsonElement Parse(string text)
    {
        using var document = JsonDocument.Parse(text);
        return document.RootElement.Clone();
    }
}
