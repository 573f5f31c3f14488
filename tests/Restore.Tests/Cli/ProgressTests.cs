using Microsoft.Extensions.Logging.Abstractions;
using Restore.Cli;
using Restore.Cli.Commands;
using Restore.Cli.Options;
using Restore.Cli.Rendering;

namespace Restore.Tests.Cli;

public sealed class ProgressTests
{
    private static RestoreProgress At(double seconds, long megabytes, RestorePhase phase = RestorePhase.Restoring) =>
        new(
            phase,
            megabytes,
            1000,
            megabytes << 20,
            1000L << 20,
            (int)(megabytes / 50),
            20,
            megabytes << 19,
            TimeSpan.FromSeconds(seconds)
        );

    private static RestoreProgress Repeated(RestoreProgress progress, string reason) =>
        progress with
        {
            Retry = new StoreRetry("ssh://host/folder", 2, 5, TimeSpan.FromSeconds(10), reason),
        };

    private static RestoreProgress Fetching(double seconds, long megabytes) =>
        At(seconds, 0) with
        {
            BytesFetched = megabytes << 20,
            BytesToFetch = 500L << 20,
        };

    [Fact]
    public void The_bytes_that_come_move_the_line_before_a_volume_is_complete()
    {
        var rate = new RateMeter();
        rate.Observe(Fetching(0, 0));
        rate.Observe(Fetching(10, 20));
        Assert.Equal(
            "Restoring: 20.0 MiB of 500.0 MiB fetched (4 %), 0 bytes of 1000.0 MiB in place, 0 of 1,000 files, 0 of 20 volumes, 2.0 MiB/s, 4 min 00 s left",
            ProgressText.Describe(Fetching(10, 20), rate, verifyOnly: false)
        );
    }

    [Fact]
    public void What_the_run_waits_for_is_said_in_words()
    {
        var rate = new RateMeter();
        rate.Observe(Fetching(0, 0));
        rate.Observe(Fetching(10, 20));
        var still = Fetching(20, 20) with { OpenRequests = 2 };
        rate.Observe(still);
        Assert.StartsWith(
            "Restoring: nothing has come from the store for 10.0 s, 20.0 MiB of 500.0 MiB fetched (4 %), ",
            ProgressText.Describe(still, rate, verifyOnly: false),
            StringComparison.Ordinal
        );
        Assert.StartsWith(
            "Restoring: everything asked for has come, decoding and writing for 10.0 s, ",
            ProgressText.Describe(still with { OpenRequests = 0 }, rate, verifyOnly: false),
            StringComparison.Ordinal
        );
        Assert.StartsWith(
            "Restoring: waiting, attempt 2 of 5: connection refused (ssh://host/folder), 20.0 MiB of 500.0 MiB fetched (4 %), ",
            ProgressText.Describe(Repeated(still, "connection refused"), rate, verifyOnly: false),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData(200)]
    [InlineData(120)]
    [InlineData(80)]
    [InlineData(40)]
    public async Task A_store_that_goes_away_is_named_at_any_width(int width)
    {
        using var error = new CapturedText();
        var clock = new FakeClock();
        var environment = CliRun.Environment(error: error) with
        {
            Clock = clock,
            CanDraw = true,
            TerminalWidth = () => width,
        };
        await using (var view = new TerminalProgressView(CliRun.MessagesTo(error), environment, verifyOnly: false))
        {
            clock.Advance(TimeSpan.FromSeconds(1));
            view.Report(
                Repeated(
                    Fetching(46, 20),
                    string.Join(' ', Enumerable.Repeat("The connection was closed by the other side", 5))
                )
            );
        }

        var line = error
            .ToString()
            .Split('\r', StringSplitOptions.RemoveEmptyEntries)[0]
            .Replace("\u001b[J", "", StringComparison.Ordinal);
        Assert.Contains(" 0:01 Restoring: waiting, ", line, StringComparison.Ordinal);
        Assert.True(width < 80 || line.Contains("waiting, attempt 2 of 5: The conn", StringComparison.Ordinal), line);
        Assert.EndsWith("…", line, StringComparison.Ordinal);
        Assert.Equal(width - 1, line.Length);
    }

    [Fact]
    public void The_current_file_takes_what_the_line_has_left_and_keeps_its_end()
    {
        var progress = At(1, 100) with { CurrentPath = "/home/ann/documents/2026/thesis.docx" };
        var line = "Restoring: 100.0 MiB of 1000.0 MiB (10 %), 100 of 1,000 files, 2 of 20 volumes";
        Assert.Equal(
            line + ", /home/ann/documents/2026/thesis.docx",
            ProgressText.Describe(progress, new RateMeter(), verifyOnly: false, 150)
        );
        Assert.Equal(
            line + ", …/2026/thesis.docx",
            ProgressText.Describe(progress, new RateMeter(), verifyOnly: false, line.Length + 20)
        );
        Assert.Equal(line, ProgressText.Describe(progress, new RateMeter(), verifyOnly: false, line.Length + 13));
    }

    [Fact]
    public async Task A_log_says_that_nothing_moves_though_no_report_comes()
    {
        using var error = new CapturedText();
        var clock = new FakeClock();
        await using var view = new PlainProgressView(CliRun.MessagesTo(error), clock, verifyOnly: false);
        view.Report(Fetching(0, 20) with { OpenRequests = 1 });
        clock.Advance(TimeSpan.FromSeconds(30));
        await SoonAsync(() =>
            error.ToString().Contains("nothing has come from the store for 30.0 s", StringComparison.Ordinal)
        );
    }

    [Fact]
    public async Task A_narrower_terminal_leaves_no_part_of_the_line_and_a_key_is_overwritten()
    {
        using var error = new CapturedText();
        var clock = new FakeClock();
        var width = 100;
        var environment = CliRun.Environment(error: error) with
        {
            Clock = clock,
            CanDraw = true,
            TerminalWidth = () => width,
        };
        await using (var view = new TerminalProgressView(CliRun.MessagesTo(error), environment, verifyOnly: false))
        {
            clock.Advance(TimeSpan.FromSeconds(1));
            view.Report(At(1, 250));
            width = 40;
            view.Report(At(2, 260));
        }

        var drawn = error.ToString().Split('\r', StringSplitOptions.RemoveEmptyEntries);
        Assert.Contains(drawn, line => line.Length is > 60 and < 110);
        Assert.All(drawn, line => Assert.EndsWith("\u001b[J", line, StringComparison.Ordinal));
        Assert.Contains(drawn, line => line.StartsWith('━') && line.Length < 40 + "\u001b[J".Length);
    }

    [Fact]
    public async Task Plain_progress_is_a_line_every_few_seconds_with_rate_and_time_left()
    {
        var clock = new FakeClock();
        using var error = new StringWriter { NewLine = "\n" };
        await using var view = new PlainProgressView(CliRun.MessagesTo(error), clock, verifyOnly: false);
        for (var second = 0; second <= 11; second++)
        {
            view.Report(At(second, second * 10));
            clock.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.Equal(
            """
            0:05 Restoring: 50.0 MiB of 1000.0 MiB (5 %), 50 of 1,000 files, 1 of 20 volumes, 10.0 MiB/s, 1 min 35 s left
            0:10 Restoring: 100.0 MiB of 1000.0 MiB (10 %), 100 of 1,000 files, 2 of 20 volumes, 10.0 MiB/s, 1 min 30 s left

            """,
            error.ToString()
        );
    }

    [Fact]
    public async Task A_short_run_prints_no_progress()
    {
        using var error = new StringWriter();
        await using var view = new PlainProgressView(CliRun.MessagesTo(error), new FakeClock(), verifyOnly: false);
        view.Report(At(0, 0, RestorePhase.ReadingFileList));
        view.Report(At(1, 1000, RestorePhase.Done));
        Assert.Empty(error.ToString());
    }

    [Theory]
    [InlineData(RestorePhase.ReadingFileList, "Reading the file list: 200 of 1,000 files, 100.0 MiB fetched")]
    [InlineData(RestorePhase.ScanningTarget, "Looking at what is at the target: 200 of 1,000 files")]
    [InlineData(RestorePhase.LocatingBlocks, "Locating blocks: 4 of 20 index volumes, 100.0 MiB fetched")]
    [InlineData(
        RestorePhase.Restoring,
        "Verifying: 200.0 MiB of 1000.0 MiB (20 %), 200 of 1,000 files, 4 of 20 volumes"
    )]
    [InlineData(RestorePhase.Finishing, "Finishing folders and links: 200 of 1,000 shared files")]
    [InlineData(RestorePhase.Flushing, "Waiting until the device has everything")]
    [InlineData(RestorePhase.Done, "Done")]
    public void Each_phase_shows_what_matters_in_it(RestorePhase phase, string line) =>
        Assert.Equal(line, ProgressText.Describe(At(1, 200, phase), new RateMeter(), verifyOnly: true));

    [Theory]
    [InlineData(
        200,
        "Restoring: 100.0 MiB of 1000.0 MiB (10 %), 100 of 1,000 files, 2 of 20 volumes, 10.0 MiB/s, 1 min 30 s left"
    )]
    [InlineData(80, "Restoring: 100.0 MiB of 1000.0 MiB (10 %), 10.0 MiB/s, 1 min 30 s left")]
    [InlineData(60, "Restoring: 100.0 MiB of 1000.0 MiB (10 %), 1 min 30 s left")]
    [InlineData(10, "Restoring…")]
    public void A_narrow_terminal_gets_what_matters_most(int width, string line)
    {
        var rate = new RateMeter();
        rate.Observe(At(0, 0));
        rate.Observe(At(10, 100));
        Assert.Equal(line, ProgressText.Describe(At(10, 100), rate, verifyOnly: false, width));
    }

    [Fact]
    public async Task A_terminal_gets_a_bar_that_is_cleared_at_the_end_and_messages_above_it()
    {
        using var error = new CapturedText();
        var clock = new FakeClock();
        var messages = CliRun.MessagesTo(error);
        await using (
            var view = new TerminalProgressView(
                messages,
                CliRun.Environment(error: error) with
                {
                    Clock = clock,
                    CanDraw = true,
                },
                verifyOnly: false
            )
        )
        {
            view.Report(At(0, 0));
            Assert.Empty(error.ToString());
            clock.Advance(TimeSpan.FromSeconds(1));
            view.Report(At(1, 250));
            await SoonAsync(() => error.ToString().Contains("250.0 MiB of", StringComparison.Ordinal));
            messages.WriteLine("Something [happened]\u001b");
        }

        Assert.Contains("Something [happened]\\u001B", error.ToString(), StringComparison.Ordinal);
        messages.WriteLine("after");
        Assert.EndsWith("after" + error.NewLine, error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false, false, typeof(PlainProgressView))]
    [InlineData(false, true, typeof(TerminalProgressView))]
    [InlineData(true, false, typeof(QuietProgressView))]
    [InlineData(true, true, typeof(QuietProgressView))]
    public async Task What_the_error_stream_can_do_and_quiet_decide_how_progress_is_shown(
        bool quiet,
        bool canDraw,
        Type view
    )
    {
        var secrets = new KnownSecrets();
        var environment = CliRun.Environment() with { CanDraw = canDraw };
        var parsed = CommandLine.Parse(["/backup", $"--quiet={quiet}"], CliRun.Commands(), environment);
        var context = new CommandContext(
            parsed.ToRequest(),
            parsed,
            new Messages(environment.Error, secrets),
            NullLogger.Instance,
            secrets
        );
        await using var opened = context.OpenProgressView(verifyOnly: false);
        Assert.IsType(view, opened);
    }

    private static async Task SoonAsync(Func<bool> condition)
    {
        for (var tries = 0; !condition(); tries++)
        {
            Assert.True(tries < 1000, "It did not happen within ten seconds.");
            await Task.Delay(10, TestContext.Current.CancellationToken);
        }
    }
}
