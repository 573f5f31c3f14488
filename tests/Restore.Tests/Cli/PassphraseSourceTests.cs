using Restore.Cli;
using Restore.Cli.Options;
using Restore.Tests.Ends;

namespace Restore.Tests.Cli;

public sealed class PassphraseSourceTests
{
    private static readonly CliEnvironment Environment = CliRun.Environment() with
    {
        Variable = name =>
            name switch
            {
                "PASSPHRASE" => "from variable",
                "RESTORE_PASSPHRASE_FILE" => "/no/such/file",
                "RESTORE_PASSPHRASE_COMMAND" => "exit 9",
                _ => null,
            },
        Input = new StringReader("from input\n"),
    };

    [Fact]
    public void The_option_comes_before_the_file_the_file_before_the_command_and_these_before_the_variables()
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "secret");
        File.WriteAllText(file, "from file\n");
        Assert.Equal("from option", PassphraseSource.Given("from option", file, "echo from command", Environment));
        Assert.Equal("from file", PassphraseSource.Given(null, file, "echo from command", Environment));
        Assert.Equal("from command", PassphraseSource.Given(null, null, "echo from command", Environment));
        Assert.Equal("from variable", PassphraseSource.Given(null, null, null, Environment));
        Assert.Equal("from input", PassphraseSource.Given(null, "-", null, Environment));
        Assert.Null(PassphraseSource.Given(null, null, null, CliRun.Environment()));
        Assert.Null(PassphraseSource.Given("", null, null, Environment));
        Assert.Equal("from file", PassphraseSource.Given(null, null, null, With("RESTORE_PASSPHRASE_FILE", file)));
        Assert.Equal("b", PassphraseSource.Given(null, null, null, With("RESTORE_PASSPHRASE_COMMAND", "echo b")));
    }

    [Theory]
    [InlineData("--passphrase-file=/dev/zero")]
    [InlineData("--passphrase-file=-")]
    [InlineData("--job-key-file=/dev/zero", "--from-config=/dev/zero")]
    [InlineData("--parameters-file=/dev/zero")]
    public async Task What_has_no_end_is_no_passphrase_and_no_file_with_options(params string[] options)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Others have no such device.");
        using var endless = new StreamReader("/dev/zero");
        var run = await CliRun.OfAsync(environment => environment with { Input = endless }, ["/backup", .. options]);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Matches(
            $"^{options[0].Split('=')[0]}: (/dev/zero|-) cannot be read \\(it is longer than (1|16) MiB\\)\n",
            run.Error
        );
    }

    [Theory]
    [InlineData("--passphrase-file")]
    [InlineData("--parameters-file")]
    public async Task A_pipe_without_another_end_waits_until_the_first_interruption(string option)
    {
        using var folder = new TempFolder();
        var pipe = Path.Combine(folder.Path, "pipe");
        Native.Fifo(pipe);
        using var stop = new CancellationTokenSource();
        var run = CliRun.OfAsync(
            environment => environment with { StopToken = stop.Token },
            "versions",
            Fixtures.Backup("aes-100kb"),
            $"{option}={pipe}"
        );
        await Task.Delay(200, TestContext.Current.CancellationToken);
        Assert.False(run.IsCompleted);
        await stop.CancelAsync();
        Assert.Equal(
            ExitCodes.Interrupted,
            (await run.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken)).ExitCode
        );

        // Lets the thread that still waits end.
        using var other = new FileStream(pipe, FileMode.Open, FileAccess.ReadWrite);
    }

    [Theory]
    [InlineData("printf 'one\ntwo\n'", "one")]
    [InlineData("printf 'one\r\n'", "one")]
    [InlineData("printf ' a b '", " a b ")]
    [InlineData("echo \"p\u00e4ss $((1 + 1))\" | cat", "p\u00e4ss 2")]
    [InlineData("echo \"$PATH\" | grep -q : && echo \"[$PASSPHRASE$AUTH_PASSWORD]\"", "[]")]
    public void The_first_line_that_a_command_of_the_shell_prints_is_the_passphrase(
        string command,
        string passphrase
    ) => Assert.Equal(passphrase, PassphraseSource.Given(null, null, command, CliRun.Environment()));

    [Theory]
    [InlineData("echo secret; sleep 30 &")]
    [InlineData("printf secret; sleep 30 &")]
    [InlineData("echo secret; (sleep 30; echo more) & exit 0")]
    public async Task What_a_command_leaves_in_the_background_is_not_waited_for(string command)
    {
        var reading = Task.Run(
            () => PassphraseSource.Given(null, null, command, CliRun.Environment()),
            TestContext.Current.CancellationToken
        );
        Assert.Equal(
            "secret",
            await reading.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken)
        );
    }

    [Theory]
    [InlineData("yes")]
    [InlineData("cat /dev/zero")]
    [InlineData("echo secret; yes; sleep 30")]
    public async Task A_command_that_prints_without_an_end_ends_the_run(string command)
    {
        var run = await CliRun
            .OfAsync("versions", Fixtures.Backup("aes-100kb"), "--passphrase-command", command)
            .WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
        Assert.Equal(
            (
                ExitCodes.Failed,
                "--passphrase-command: the command printed more than 1 MiB, so there is no passphrase\n"
            ),
            (run.ExitCode, run.Error)
        );
    }

    [Theory]
    [InlineData("exit 3", "--passphrase-command: the command ended with exit code 3, so there is no passphrase\n")]
    [InlineData(
        "echo secret; exit 1",
        "--passphrase-command: the command ended with exit code 1, so there is no passphrase\n"
    )]
    [InlineData("true", "--passphrase-command: the command printed no passphrase\n")]
    public async Task A_command_that_gives_none_ends_the_run(string command, string error)
    {
        var run = await CliRun.OfAsync("versions", Fixtures.Backup("aes-100kb"), "--passphrase-command", command);
        Assert.Equal((ExitCodes.Failed, error), (run.ExitCode, run.Error));
    }

    [Fact]
    public async Task A_backup_is_opened_with_what_a_command_says()
    {
        var run = await CliRun.OfAsync("ls", Fixtures.Backup("aes-100kb"), "--passphrase-command=echo 'correct horse'");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
    }

    [Theory]
    [InlineData("pass\n", "pass")]
    [InlineData("pass\r\n", "pass")]
    [InlineData(" pass \n\n", " pass \n")]
    [InlineData("\ufeffpass", "pass")]
    [InlineData("p\u00e4ss", "p\u00e4ss")]
    public void Of_a_file_only_one_line_break_at_the_end_is_cut_off(string content, string passphrase)
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "secret");
        File.WriteAllText(file, content);
        Assert.Equal(passphrase, PassphraseSource.Given(null, file, null, Environment));
    }

    [Fact]
    public async Task A_passphrase_file_that_is_not_there_is_a_usage_error()
    {
        var run = await CliRun.OfAsync("/backup", "--passphrase-file=/no/such/file");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith("--passphrase-file: /no/such/file cannot be read (", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task When_none_was_given_it_is_asked_for_and_three_tries_are_allowed()
    {
        var typed = new Queue<string>(["wrong", "worse", "right"]);
        var tried = new List<string?>();
        using var error = new StringWriter { NewLine = "\n" };
        var code = await PassphrasePrompt.RunAsync(
            null,
            _ => typed.Dequeue(),
            CliRun.MessagesTo(error),
            passphrase =>
            {
                tried.Add(passphrase);
                return passphrase == "right"
                    ? Task.FromResult(7)
                    : throw new RestoreException(RestoreErrorCode.WrongPassphrase, "no");
            }
        );
        Assert.Equal(7, code);
        Assert.Equal([null, "wrong", "worse", "right"], tried);
        Assert.Equal(
            "The passphrase does not open the backup\nThe passphrase does not open the backup\n",
            error.ToString()
        );
    }

    [Fact]
    public async Task After_three_wrong_ones_it_is_over()
    {
        var asked = 0;
        var failure = await Assert.ThrowsAsync<RestoreException>(() =>
            PassphrasePrompt.RunAsync(
                null,
                _ => $"wrong {asked++}",
                CliRun.MessagesTo(TextWriter.Null),
                _ => throw new RestoreException(RestoreErrorCode.WrongPassphrase, "no")
            )
        );
        Assert.Equal(3, asked);
        Assert.Equal(RestoreErrorKind.WrongPassphrase, failure.Kind);
    }

    [Fact]
    public async Task Who_enters_none_gets_the_failure_back() =>
        await Assert.ThrowsAsync<RestoreException>(() =>
            PassphrasePrompt.RunAsync(
                null,
                _ => null,
                CliRun.MessagesTo(TextWriter.Null),
                _ => throw new RestoreException(RestoreErrorCode.WrongPassphrase, "no")
            )
        );

    [Fact]
    public async Task With_a_given_one_or_nobody_there_or_another_failure_nothing_is_asked()
    {
        static string Ask(string prompt) => throw new InvalidOperationException("asked");
        static Task<int> Fail(string code) => throw new RestoreException(code, "no");
        var messages = CliRun.MessagesTo(TextWriter.Null);
        await Assert.ThrowsAsync<RestoreException>(() =>
            PassphrasePrompt.RunAsync("given", Ask, messages, _ => Fail(RestoreErrorCode.WrongPassphrase))
        );
        await Assert.ThrowsAsync<RestoreException>(() =>
            PassphrasePrompt.RunAsync(null, null, messages, _ => Fail(RestoreErrorCode.WrongPassphrase))
        );
        await Assert.ThrowsAsync<RestoreException>(() =>
            PassphrasePrompt.RunAsync(null, Ask, messages, _ => Fail(RestoreErrorCode.VersionNotFound))
        );
    }

    private static CliEnvironment With(string variable, string value) =>
        CliRun.Environment() with
        {
            Variable = name => name == variable ? value : null,
        };
}
