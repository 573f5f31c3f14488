using Restore.Cli;
using Restore.Cli.Options;
using Restore.Tests.Ends;

namespace Restore.Tests.Cli;

/// <summary>Files that options name: lists of filters, and what has no end.</summary>
public sealed class NamedFileTests : IDisposable
{
    private readonly TempFolder folder = new();

    public static TheoryData<string> ListsOfNothing =>
        [
            "",
            "\n\n",
            " \n\t\r\n",
            "# what find printed\n\n",
            "\ufeff",
            "\ufeff# a comment",
            "# one list\n\ufeff# and another one\n",
        ];

    public static TheoryData<string> Commands => ["restore", "plan", "export", "verify", "ls", "find"];

    private string List => Path.Combine(folder.Path, "list");

    public void Dispose() => folder.Dispose();

    [Theory]
    [MemberData(nameof(ListsOfNothing))]
    public async Task A_list_of_what_to_take_that_names_nothing_is_refused_before_anything_is_changed(string content)
    {
        Write(content);
        string target = Path.Combine(folder.Path, "target");
        Directory.CreateDirectory(target);
        await File.WriteAllTextAsync(Path.Join(target, "mine"), "mine");

        CliRun run = await CliRun.OfAsync(
            Fixtures.Backup("plain-1mb"),
            $"--include-from={List}",
            "--overwrite",
            $"--restore-path={target}"
        );

        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith($"--include-from: {List} selects nothing: ", run.Error, StringComparison.Ordinal);
        Assert.Equal("mine", Path.GetFileName(Assert.Single(Directory.GetFileSystemEntries(target))));
    }

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task Every_command_that_takes_filters_refuses_such_a_list(string command)
    {
        Write("# nothing\n");
        CliRun run = await CliRun.OfAsync(
            command,
            Fixtures.Backup("plain-1mb"),
            $"--include-from={List}",
            "--include=*.txt"
        );
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains("selects nothing", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_backup_refuses_such_a_list_and_makes_no_folder()
    {
        Write("");
        CliRun run = await CliRun.OfAsync(
            "backup",
            folder.Path,
            Path.Combine(folder.Path, "new"),
            "--no-encryption",
            $"--include-from={List}"
        );
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains("selects nothing", run.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(Path.Combine(folder.Path, "new")));
    }

    [Fact]
    public void A_list_of_what_to_leave_out_may_be_empty_and_lines_of_blanks_do_not_count()
    {
        Write(" \n# nothing\n");
        Assert.Empty(CliRun.Request("/backup", $"--exclude-from={List}").Rules);
        Write("\ufeffa\r\n \r\n\ufeff# comment\rb b \n\n");
        Assert.Equal(
            [new FilterRule(true, "a"), new FilterRule(true, "b b ")],
            CliRun.Request("/backup", $"--include-from={List}").Rules
        );
    }

    [Theory]
    [InlineData("--include=")]
    [InlineData("--include=@")]
    [InlineData("--include=[]")]
    [InlineData("--exclude=")]
    public async Task An_empty_expression_is_refused(string option)
    {
        CliRun run = await CliRun.OfAsync("ls", Fixtures.Backup("plain-1mb"), option);
        Assert.Equal((ExitCodes.Usage, ""), (run.ExitCode, run.Output));
        Assert.StartsWith("A filter expression is empty\n", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--replace-filter=")]
    [InlineData("--append-filter=\"\"")]
    [InlineData("--prepend-filter=;;")]
    public async Task Filters_of_a_file_with_options_that_are_none_are_refused(string line)
    {
        Write(line.Replace(';', Path.PathSeparator));
        CliRun run = await CliRun.OfAsync(
            "ls",
            Fixtures.Backup("plain-1mb"),
            "--include=*.txt",
            $"--parameters-file={List}"
        );
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains($"{line.Split('=')[0]} has no filter", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--include-from")]
    [InlineData("--exclude-from")]
    [InlineData("--compression-extension-file")]
    public async Task A_list_without_an_end_is_refused(string option)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Others have no such device.");
        CliRun run = await CliRun.OfAsync(
            "backup",
            folder.Path,
            Path.Combine(folder.Path, "new"),
            "--no-encryption",
            $"{option}=/dev/zero"
        );
        Assert.Equal(
            (ExitCodes.Usage, $"{option}: /dev/zero cannot be read (it has a line of more than 1 MiB)"),
            (run.ExitCode, run.Error.Split('\n')[0])
        );
    }

    [Theory]
    [InlineData("--include-from")]
    [InlineData("--exclude-from")]
    [InlineData("--passphrase-file")]
    [InlineData("--parameters-file")]
    public async Task A_pipe_that_no_program_writes_into_is_not_waited_for_without_an_end(string option)
    {
        string pipe = Path.Combine(folder.Path, "pipe");
        Native.Fifo(pipe);
        CliRun run = await CliRun
            .OfAsync("ls", Fixtures.Backup("plain-1mb"), $"{option}={pipe}")
            .WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(
            $"{option}: {pipe} cannot be read (it is a pipe that no program writes into)",
            run.Error,
            StringComparison.Ordinal
        );

        // Lets the thread that still waits end.
        using var other = new FileStream(pipe, FileMode.Open, FileAccess.ReadWrite);
    }

    [Fact]
    public async Task A_pipe_that_a_program_writes_into_is_read_to_its_end()
    {
        string pipe = Path.Combine(folder.Path, "pipe");
        Native.Fifo(pipe);
        Task<IReadOnlyList<string>> reading = Task.Run(
            () => NamedFile.Lines("--include-from", pipe),
            TestContext.Current.CancellationToken
        );
        await using (StreamWriter writer = new(pipe))
        {
            await writer.WriteAsync("a\nb");
        }

        Assert.Equal(["a", "b"], await reading);
    }

    private void Write(string content) => File.WriteAllText(List, content);
}
