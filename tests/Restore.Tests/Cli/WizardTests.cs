using Restore.Cli;
using Restore.Cli.Commands;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Cli;

/// <summary><c>restore</c> alone on a terminal.</summary>
public sealed class WizardTests
{
    [Fact]
    public async Task It_asks_for_everything_and_prints_the_command_line_without_the_passphrase()
    {
        using var folder = new TempFolder();
        var backup = Fixtures.Backup("aes-100kb");
        var run = await AnswerAsync(() => "correct horse", backup, "", "*/docs/*", folder.Root, "y");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Contains("Would restore version 0 of ", run.Output, StringComparison.Ordinal);
        Assert.Matches("^ +0  2026-11-21 [^\n]* files ", run.Output);
        Assert.EndsWith(
            $"The same on the command line: restore {backup} '*/docs/*' --restore-path={folder.Root}\n",
            run.Output,
            StringComparison.Ordinal
        );
        Assert.NotEmpty(Directory.EnumerateFiles(folder.Root));
        Assert.DoesNotContain("correct horse", run.Output + run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Wrong_answers_are_asked_again()
    {
        using var folder = new TempFolder();
        var run = await AnswerAsync(
            null,
            "/there/is/no/such/folder",
            $"'{Fixtures.Backup("plain-1mb")}'",
            "99",
            "x",
            "1",
            "nothing-has-this-name",
            "docs/x",
            "*.txt",
            "",
            Path.Combine(Fixtures.Backup("plain-1mb"), "in-it"),
            folder.Root,
            "n"
        );
        Assert.Equal(ExitCodes.Interrupted, run.ExitCode);
        Assert.Contains("There is no such folder (/there/is/no/such/folder)", run.Error, StringComparison.Ordinal);
        Assert.Contains("There is no version 99: the oldest is 2", run.Error, StringComparison.Ordinal);
        Assert.Contains(
            "Nothing in version 1 is selected by: 'nothing-has-this-name'",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "Nothing in version 1 is selected by: 'docs/x'\nA path begins at the root of the backup",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.Contains("Give a folder; one that does not exist is created", run.Error, StringComparison.Ordinal);
        Assert.Contains("is in the folder of the backup", run.Error, StringComparison.Ordinal);
        Assert.EndsWith("Nothing was changed\n", run.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(folder.Root));
    }

    [Fact]
    public async Task Nothing_is_restored_before_it_asked_although_a_name_begins_with_a_dash()
    {
        using var folder = new TempFolder();
        var source = Directory.CreateDirectory(folder.In("source")).FullName;
        await File.WriteAllTextAsync(Path.Combine(source, "-notes"), "a", TestContext.Current.CancellationToken);
        var backup = folder.In("backup");
        await CliRun.OfAsync("backup", source, backup, "--no-encryption");
        var target = folder.In("target");

        var run = await AnswerAsync(null, backup, "", "-notes", target, "n");

        Assert.Contains("Would restore version 0 of ", run.Output, StringComparison.Ordinal);
        Assert.Equal((ExitCodes.Interrupted, false), (run.ExitCode, Directory.Exists(target)));
    }

    [Fact]
    public async Task A_wrong_passphrase_is_asked_again()
    {
        using var folder = new TempFolder();
        var secrets = new Queue<string>(["wrong", "wrong", "wrong", "correct horse"]);
        var backup = Fixtures.Backup("aes-100kb");
        var run = await AnswerAsync(secrets.Dequeue, [backup, backup, "", "*/docs/*", folder.Root, "y"]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.NotEmpty(Directory.EnumerateFiles(folder.Root));
    }

    [Fact]
    public async Task Replacing_is_asked_only_where_there_are_files()
    {
        using var folder = new TempFolder();
        Directory.CreateDirectory(folder.Root);
        await File.WriteAllTextAsync(folder.In("mine.txt"), "mine");
        var run = await AnswerAsync(
            () => "correct horse",
            Fixtures.Backup("aes-100kb"),
            "",
            "*/docs/*",
            folder.Root,
            "y",
            "y"
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.EndsWith(" --overwrite\n", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ExitCodes.Interrupted, "q")]
    [InlineData(ExitCodes.Interrupted, "cancel", "maybe", "n")]
    [InlineData(ExitCodes.Interrupted, "maybe", null)]
    [InlineData(ExitCodes.Complete, "sure", "Yes")]
    [InlineData(ExitCodes.Complete, "")]
    public async Task Only_a_yes_or_an_empty_answer_restores(int code, params string?[] answers)
    {
        using var folder = new TempFolder();
        var run = await AnswerAsync(
            () => "correct horse",
            [Fixtures.Backup("aes-100kb"), "", "*/docs/*", folder.Root, .. answers]
        );
        Assert.True(run.ExitCode == code, run.Error);
        Assert.Equal(code == ExitCodes.Complete, Directory.Exists(folder.Root));
        Assert.Equal(answers.Length - 1, run.Error.Split("Answer y (yes) or n (no)\n").Length - 1);
    }

    [Fact]
    public async Task Without_an_answer_nothing_happens()
    {
        var run = await AnswerAsync(null, "");
        Assert.Equal(ExitCodes.Interrupted, run.ExitCode);
        Assert.DoesNotContain("Would restore", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("The same on the command line", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("restore /mnt/backup", "/mnt/backup", null, null, null)]
    [InlineData("restore '/mnt/my backup' 'it'\\''s' --version=3", "/mnt/my backup", "3", "it's", null)]
    [InlineData("restore --restore-path=/out -- ls --odd", "ls", null, "--odd", "/out")]
    [InlineData("restore ssh://ann:***@host/folder", "ssh://ann:sesame@host/folder", null, null, null)]
    public void The_command_line_is_one_for_a_shell(
        string expected,
        string backup,
        string? version,
        string? what,
        string? target
    ) =>
        Assert.Equal(expected, new WizardLine(backup, version, what, target, Overwrite: false).Text(CliRun.Commands()));

    [Fact]
    public async Task It_shows_the_top_folders_with_their_sizes_and_explains_each_question()
    {
        using var folder = new TempFolder();
        var run = await AnswerAsync(
            () => "correct horse",
            "?",
            Fixtures.Backup("aes-100kb"),
            "?",
            "",
            "?",
            "*/docs/*",
            "?",
            folder.Root,
            "n"
        );
        Assert.Matches(@"\n[^\n]*/ has:\n( +[0-9.]+ (KiB|MiB|bytes|byte)  [^\n]+\n)+", run.Output);
        Assert.Matches(@"(?m)^ +[0-9.]+ [A-Za-z]+  docs/$", run.Output);
        Assert.Matches(@"(?m)^ +[0-9.]+ [A-Za-z]+  docs/$", run.Error);
        Assert.Contains("webdavs://", run.Error, StringComparison.Ordinal);
        Assert.Contains("the newest version of that day or before it", run.Error, StringComparison.Ordinal);
        Assert.Contains("a folder and all that is in it", run.Error, StringComparison.Ordinal);
        Assert.Contains("'original' puts the files back", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("one", 1)]
    [InlineData("two", 2)]
    public async Task A_backup_is_found_up_to_two_levels_below_the_folder(string name, int backups)
    {
        using var folder = new TempFolder();
        for (var i = 0; i < backups; i++)
        {
            var place = folder.In($"disk/backup{i}/duplicati-20261120T000000Z.dlist.zip");
            Directory.CreateDirectory(Path.GetDirectoryName(place)!);
            foreach (var file in Directory.EnumerateFiles(Fixtures.Backup("plain-1mb")))
            {
                File.Copy(file, Path.Combine(Path.GetDirectoryName(place)!, Path.GetFileName(file)));
            }
        }

        var run = await AnswerAsync(
            null,
            [folder.Root, .. backups == 1 ? [] : new[] { "7", "2" }, "", "readme.txt", folder.In(name), "y"]
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Contains(
            $"restore {folder.In($"disk/backup{backups - 1}")} readme.txt",
            run.Output,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_date_is_a_version_too()
    {
        using var folder = new TempFolder();
        var run = await AnswerAsync(
            null,
            Fixtures.Backup("plain-1mb"),
            "1999-99-99",
            "2026-11-21T13:30:31",
            "readme.txt",
            folder.Root,
            "y"
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Contains(
            "There is no version 1999-99-99: give a number from 0 to 2, or a date",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.Matches(@"\nRestored [^\n]+ of version 1 of 2026-11-21 13:30:30", run.Output);
        Assert.Contains(" --time=2026-11-21T13:30:31 ", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_is_not_found_gets_the_nearest_names()
    {
        using var folder = new TempFolder();
        var run = await AnswerAsync(null, Fixtures.Backup("plain-1mb"), "", "raedme.txt", "1", folder.Root, "n");
        Assert.Matches(@"\n   1  /[^\n]*/docs/readme\.txt\n", run.Error);
        Assert.DoesNotContain("'restore ls'", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("2026-11-21", "version 0 of 2026-11-21 13:30:33")]
    [InlineData("2026-11-22", "version 0 of 2026-11-21 13:30:33")]
    public async Task A_bare_date_means_the_whole_day(string date, string chosen)
    {
        using var folder = new TempFolder();
        var run = await AnswerAsync(null, Fixtures.Backup("plain-1mb"), date, "readme.txt", folder.Root, "y");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Contains(chosen, run.Output, StringComparison.Ordinal);
        Assert.Contains($" --time={date}T23:59:59 ", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("beginning of that day", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task No_question_needs_more_than_half_a_line()
    {
        using var folder = new TempFolder();
        List<string> questions = [];
        Queue<string> answers = new(["2", Fixtures.Backup("plain-1mb"), "", "*.txt", folder.Root, "n"]);
        await CliRun.OfAsync(environment =>
            environment with
            {
                OwnsWindow = true,
                Ask = prompt =>
                {
                    questions.Add(prompt);
                    return answers.Dequeue();
                },
            }
        );
        Assert.Equal(6, questions.Count);
        Assert.All(questions, question => Assert.InRange(question.Length, 1, 40));
    }

    [Fact]
    public async Task Advice_that_cannot_be_typed_as_an_answer_is_not_given()
    {
        var run = await AnswerAsync(null, "s3://host:9000/b", "/there/is/no/such/folder", "");
        Assert.Contains("the server belongs behind the bucket", run.Error, StringComparison.Ordinal);
        Assert.Contains("There is no such folder", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("--help", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("'restore ", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("b")]
    [InlineData("", "b")]
    public async Task The_browser_is_one_letter_away(params string[] answers)
    {
        using var stop = new CancellationTokenSource();
        using var output = new InterruptingText("WebDAV", stop);
        var left = new Queue<string>([Fixtures.Backup("plain-1mb"), .. answers]);
        var environment = CliRun.Environment(output, TextWriter.Null) with
        {
            Ask = _ => left.Dequeue(),
            Clock = TimeProvider.System,
            StopToken = stop.Token,
        };
        Assert.Equal(ExitCodes.Complete, await CliApplication.RunAsync([], environment));
        Assert.Contains("Page    http://", output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Options_alone_start_it_and_answer_its_questions()
    {
        using var folder = new TempFolder();
        var left = new Queue<string>([Fixtures.Backup("aes-100kb"), "y"]);
        var run = await CliRun.OfAsync(
            environment => environment with { Ask = _ => left.Dequeue() },
            "--passphrase=correct horse",
            "--include=*/docs/*",
            "--version=0",
            "-t",
            folder.Root
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.NotEmpty(Directory.EnumerateFiles(folder.Root));
        Assert.Contains("The same on the command line: restore ", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("correct horse", run.Output + run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Options_alone_are_refused_where_nobody_can_be_asked()
    {
        var run = await CliRun.OfAsync("--version=0");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith("The location of the backup is missing", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    [NeedsPrograms(".ci/install-packages", "script")]
    public async Task It_works_on_a_real_terminal()
    {
        using var folder = new TempFolder();
        using var terminal = new RealTerminal(string.Join(' ', ProgramRun.CommandOf()));
        (string Question, string Answer)[] dialog =
        [
            ("Where is the backup?", Fixtures.Backup("aes-100kb")),
            ("Passphrase:", "correct horse"),
            ("[0]", ""),
            ("[everything]", "*/docs/*"),
            ("Into which folder", folder.Root),
            ("Restore this? [Y/n]", ""),
        ];
        foreach (var (question, answer) in dialog)
        {
            await terminal.WaitForAsync(question);
            Assert.True(
                question != "[0]" || terminal.Screen.Contains("   2  2026-", StringComparison.Ordinal),
                terminal.Screen
            );
            await terminal.TypeAsync(answer + "\r");
        }

        await terminal.WaitForAsync("The same on the command line:");
        Assert.Equal(ExitCodes.Complete, await terminal.ExitCodeAsync());
        Assert.NotEmpty(Directory.EnumerateFiles(folder.Root));
        Assert.DoesNotContain("correct horse", terminal.Screen, StringComparison.Ordinal);
    }

    [Fact]
    public async Task In_a_window_of_its_own_it_offers_the_page_first()
    {
        using var folder = new TempFolder();
        var questions = new List<string>();
        var answers = new Queue<string>(["3", "2", Fixtures.Backup("plain-1mb"), "", "*.txt", folder.Root, "n"]);
        var run = await CliRun.OfAsync(environment =>
            environment with
            {
                OwnsWindow = true,
                Ask = prompt =>
                {
                    questions.Add(prompt);
                    return answers.Dequeue();
                },
            }
        );
        Assert.Equal(ExitCodes.Interrupted, run.ExitCode);
        Assert.Contains("1  look and restore in the browser", run.Error, StringComparison.Ordinal);
        Assert.Contains("Give 1 or 2", run.Error, StringComparison.Ordinal);
        Assert.Equal("Which one? [1] ", questions[0]);
        Assert.Contains("Where is the backup", questions[2], StringComparison.Ordinal);
        Assert.Empty(answers);
    }

    [Fact]
    public async Task The_page_of_a_window_restores_into_the_folder_that_it_asks_for()
    {
        using var folder = new TempFolder();
        var backup = Fixtures.Backup("plain-1mb");
        var answers = new Queue<string>(["", backup, backup, folder.Root]);
        using StringWriter error = new();
        List<string> lines = [];
        var wizard = new Wizard(
            CliRun.Environment(error: error) with
            {
                OwnsWindow = true,
            },
            _ => answers.Dequeue(),
            WizardOptions.None,
            (line, _) =>
            {
                lines.Add(string.Join(' ', line));
                return Task.FromResult(ExitCodes.Complete);
            }
        );
        Assert.Equal(ExitCodes.Complete, await wizard.RunAsync(CliRun.Commands()));
        Assert.Contains("is in the folder of the backup", error.ToString(), StringComparison.Ordinal);
        Assert.Equal($"browse --open --restore-path={folder.Root} -- {backup}", lines[^1]);
        Assert.Empty(answers);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(true, "browse", "D:\\Backup")]
    [InlineData(false, "backup", "C:\\a", "D:\\Backup")]
    [InlineData(false, "D:\\Backup")]
    public void A_window_waits_for_a_key_only_after_what_people_start(bool waits, params string[] arguments) =>
        Assert.Equal(waits, ConsoleWindow.IsForPeople(arguments));

    private static Task<CliRun> AnswerAsync(Func<string>? secret, params string?[] answers)
    {
        var left = new Queue<string?>(answers);
        return CliRun.OfAsync(environment =>
            environment with
            {
                Ask = _ =>
                    left.TryDequeue(out var answer)
                        ? answer
                        : throw new InvalidOperationException("There are more questions than answers"),
                AskSecret = secret is null ? null : _ => secret(),
            }
        );
    }
}
