using System.Text;
using Microsoft.Extensions.Logging;
using Restore.Cli;
using Restore.Cli.Options;
using Restore.Cli.Rendering;
using Restore.Tests.Ends;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Cli;

public sealed class SafetyTests
{
    [Theory]
    [InlineData("plain name.txt", "plain name.txt")]
    [InlineData("n\u00e4me \u65e5\u672c \ud83d\ude00.txt", "n\u00e4me \u65e5\u672c \ud83d\ude00.txt")]
    [InlineData("\u001b[2J\u001b]0;title\u0007", "\\u001B[2J\\u001B]0;title\\u0007")]
    [InlineData("a\nb\r\tc", "a\\u000Ab\\u000D\\u0009c")]
    [InlineData("\u009b31m", "\\u009B31m")]
    [InlineData("gpj.\u202eexe", "gpj.\\u202Eexe")]
    [InlineData("line\u2028end", "line\\u2028end")]
    [InlineData("", "")]
    public void What_could_drive_a_terminal_is_shown_as_an_escape(string name, string shown) =>
        Assert.Equal(shown, SafeText.Escape(name));

    [Fact]
    public void Half_a_surrogate_pair_is_shown_as_an_escape() => Assert.Equal("a\\uD83Db", SafeText.Escape("a\ud83db"));

    [Fact]
    public void Messages_are_escaped_and_hold_no_secrets()
    {
        using var error = new StringWriter { NewLine = "\n" };
        CliRun
            .MessagesTo(error, "hunter2", "p&ss word")
            .WriteLine("\u001b[0m no hunter2, no p&ss word, no p%26ss%20word, hunter");
        Assert.Equal("\\u001B[0m no ***, no ***, no ***, hunter\n", error.ToString());
    }

    [Fact]
    public void A_secret_that_begins_like_another_leaves_no_tail()
    {
        using var error = new StringWriter { NewLine = "\n" };
        CliRun.MessagesTo(error, "pass", "password").WriteLine("it is password");
        Assert.Equal("it is ***\n", error.ToString());
    }

    [Fact]
    public void Credentials_are_found_in_urls_and_options()
    {
        var options = new Dictionary<string, string>
        {
            ["auth-username"] = "ann",
            ["auth-password"] = "one",
            ["aws-secret-access-key"] = "two",
            ["s3-server-name"] = "host",
        };
        var secrets = StorageLocation.SecretsIn(
            "ftp://ann:thr%20ee@host:21/a@b?auth-password=fo%2Bur&use-ssl=true&authid=five",
            options
        );
        Assert.Equal(["fo%2Bur", "fo+ur", "five", "five", "thr%20ee", "thr ee", "one", "two"], secrets);
        Assert.Empty(StorageLocation.SecretsIn("/folder/a:b@c?password=x", new Dictionary<string, string>()));
        Assert.Empty(StorageLocation.SecretsIn("s3://bucket/a:b@c", new Dictionary<string, string>()));
    }

    [Fact]
    public void The_log_file_has_times_levels_and_traces_but_no_secrets_and_no_control_characters()
    {
        using var folder = new TempFolder();
        var path = Path.Combine(folder.Path, "restore.log");
        var secrets = new KnownSecrets();
        secrets.Add("hunter2");
        for (var run = 0; run < 2; run++)
        {
            using var file = LogFile.Open(path, new FakeClock(), secrets);
            var logger = new HostLogger(new Messages(TextWriter.Null, secrets), LogLevel.None, file);
            logger.LogInformation("opened {Name}", "a\u001bb");
            logger.LogError(new InvalidOperationException("with hunter2\nand more"), "failed");
        }

        var lines = File.ReadAllLines(path);
        Assert.Equal("2026-12-01 12:00:00.000 +00:00 [Information] opened a\\u001Bb", lines[0]);
        Assert.Equal("2026-12-01 12:00:00.000 +00:00 [Error] failed", lines[1]);
        Assert.Equal("    System.InvalidOperationException: with ***", lines[2]);
        Assert.Equal(8, lines.Length);
    }

    [Fact]
    public async Task A_log_file_on_a_full_disk_is_a_warning_and_the_work_goes_on()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Others have no such device.");
        var run = await CliRun.OfAsync("verify", Fixtures.Backup("plain-1mb"), "--log-file=/dev/full");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Single(
            run.Error.Split('\n'),
            line =>
                line.StartsWith(
                    "Warning: --log-file: lines are lost (No space left on device",
                    StringComparison.Ordinal
                )
        );
    }

    [Fact]
    [NeedsLinux]
    public async Task A_log_file_that_is_a_pipe_without_a_reader_is_an_error_and_nothing_waits()
    {
        using var folder = new TempFolder();
        var pipe = Path.Combine(folder.Path, "pipe");
        Native.Fifo(pipe);
        var run = await CliRun.OfAsync("verify", Fixtures.Backup("plain-1mb"), $"--log-file={pipe}");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains($"--log-file: {pipe} is a pipe that no program reads", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    [NeedsLinux]
    public async Task A_log_file_that_is_a_pipe_has_its_lines_go_to_the_reader()
    {
        using var folder = new TempFolder();
        var pipe = Path.Combine(folder.Path, "pipe");
        Native.Fifo(pipe);

        // Opened for both, a pipe has a reader and waits for nothing.
        await using var reader = new FileStream(pipe, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, 0);
        var run = await CliRun.OfAsync("verify", Fixtures.Backup("plain-1mb"), $"--log-file={pipe}");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        var start = new byte[4];
        await reader.ReadExactlyAsync(start, TestContext.Current.CancellationToken);
        Assert.Equal("2026", Encoding.UTF8.GetString(start));
    }

    [Fact]
    public void The_log_file_is_not_written_through_a_link()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows lets only some users create links.");
        using var folder = new TempFolder();
        var path = Path.Combine(folder.Path, "restore.log");
        var other = Path.Combine(folder.Path, "other");
        File.CreateSymbolicLink(path, other);
        Assert.Throws<UsageException>(() => LogFile.Open(path, new FakeClock(), new KnownSecrets()));
        Assert.False(File.Exists(other));
        File.WriteAllText(other, "mine");
        Assert.Throws<UsageException>(() => LogFile.Open(path, new FakeClock(), new KnownSecrets()));
        Assert.Equal("mine", File.ReadAllText(other));
    }

    [Theory]
    [InlineData(LogLevel.Warning, "Warning: 2\nError: 3\n")]
    [InlineData(LogLevel.Information, "1\nWarning: 2\nError: 3\n")]
    [InlineData(LogLevel.None, "")]
    public void The_error_stream_gets_what_its_level_says(LogLevel level, string expected)
    {
        using var error = new StringWriter { NewLine = "\n" };
        var logger = new HostLogger(CliRun.MessagesTo(error), level, file: null);
        logger.LogDebug("0");
        logger.LogInformation("1");
        logger.LogWarning("2");
        logger.LogError("3");
        Assert.Equal(expected, error.ToString());
    }

    [Theory]
    [InlineData(LogLevel.Information, "")]
    [InlineData(LogLevel.Debug, "2\n")]
    public void What_the_web_server_says_is_for_the_search_of_errors_alone(LogLevel level, string expected)
    {
        using var error = new StringWriter { NewLine = "\n" };
        new DebugLogger(new HostLogger(CliRun.MessagesTo(error), level, file: null)).LogWarning("2");
        Assert.Equal(expected, error.ToString());
    }

    [Fact]
    public async Task A_log_file_that_cannot_be_written_is_a_usage_error()
    {
        var run = await CliRun.OfAsync("/backup", "--log-file=/no/such/folder/restore.log");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(
            "--log-file: /no/such/folder/restore.log cannot be written (",
            run.Error,
            StringComparison.Ordinal
        );
    }
}
