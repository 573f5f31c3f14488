using Restore.Cli.Help;

namespace Restore.Cli.Commands;

/// <summary>
/// <c>restore</c> alone on a terminal, or with options only: asks where the backup is, which
/// version, what, and where to; shows the plan; restores, and prints the command line that does the
/// same. Each step is a command line of the program.
/// </summary>
/// <param name="environment">The process.</param>
/// <param name="ask">Shows a prompt and reads a line; null at the end of the input.</param>
/// <param name="given">What the options that were given alone say already.</param>
/// <param name="run">Runs a command line of the program.</param>
internal sealed class Wizard(
    CliEnvironment environment,
    Func<string, string?> ask,
    WizardOptions given,
    Func<IReadOnlyList<string>, CliEnvironment, Task<int>> run
)
{
    private const string Original = "original";
    private const string Browser = "b";

    private readonly Dictionary<string, string?> answers = [];
    private readonly List<string> accepted = [];
    private string? passphrase;

    private IReadOnlyList<string> Access => [.. given.Access, .. accepted];

    public async Task<int> RunAsync(IReadOnlyList<ICliCommand> commands)
    {
        environment.Error.WriteLine(
            "Restores a Duplicati backup. An empty answer takes what is in brackets, ? explains a question, Ctrl-C ends it"
        );
        var usesPage = environment.OwnsWindow && WantsPage();
        if (await AskForBackupAsync() is not (string backup, int versions))
        {
            return ExitCodes.Interrupted;
        }

        if (usesPage)
        {
            return await RunAsync(["browse", "--open", .. PageTarget(backup), .. Access, "--", backup]);
        }

        while (true)
        {
            if (await AskForRestAsync(backup, versions) is not { } line)
            {
                return await RunAsync(["browse", "--open", .. Access, "--", backup]);
            }

            var plan = await RunAsync(line.Arguments(commands, "--dry-run"));
            if (plan is not (ExitCodes.Complete or ExitCodes.Incomplete))
            {
                if (
                    plan
                        is ExitCodes.Usage
                            or ExitCodes.NotFound
                            or ExitCodes.TargetNotWritable
                            or ExitCodes.WrongPassphrase
                    && IsYes("Try other answers?", isDefault: true)
                )
                {
                    continue;
                }

                return plan;
            }

            if (!IsYes("Restore this?", isDefault: true))
            {
                environment.Error.WriteLine("Nothing was changed");
                return ExitCodes.Interrupted;
            }

            var code = await RunAsync([.. line.Arguments(commands, "--yes")]);
            environment.Output.WriteLine($"The same on the command line: {line.Text(commands)}");
            return code;
        }
    }

    /// <summary>
    /// People who start the program by a double click prefer a browser to a console.
    /// </summary>
    private bool WantsPage()
    {
        environment.Error.WriteLine("1  look and restore in the browser");
        environment.Error.WriteLine("2  answer questions here");
        while (true)
        {
            switch (AskWithHelp("Which one? [1] ", WizardHelp.Start))
            {
                case "" or "1" or Browser:
                    return true;
                case "2":
                    return false;
                default:
                    environment.Error.WriteLine("Give 1 or 2");
                    break;
            }
        }
    }

    /// <summary>The page writes nothing without a folder.</summary>
    private IEnumerable<string> PageTarget(string backup)
    {
        while (true)
        {
            var target = Home(
                AskWithHelp("Into which folder may the page restore? [none, only look] ", WizardHelp.PageTarget)
            );
            if (target.Length == 0)
            {
                return [];
            }

            if (ProblemOf(target, backup) is not { } problem)
            {
                return [$"--restore-path={target}"];
            }

            environment.Error.WriteLine(problem);
        }
    }

    private static string? ProblemOf(string target, string backup) =>
        File.Exists(target) ? $"{target} is a file"
        : Directory.Exists(backup) && FolderPath.IsInside(target, backup) ? $"{target} is in the folder of the backup"
        : null;

    /// <returns>The location, which the passphrase opens, and the number of versions; null if none
    /// was given, or at an interruption.</returns>
    private async Task<(string Location, int Versions)?> AskForBackupAsync()
    {
        while (true)
        {
            var backup = Home(AskWithHelp("Where is the backup (a folder, or a storage URL)? ", WizardHelp.Backup));
            if (backup.Length == 0)
            {
                return null;
            }

            backup = FolderOf(backup);
            using StringWriter versions = new() { NewLine = "\n" };

            // The passphrase first: with it the list of versions says what is in them.
            var code = await RunAsync(["ls", .. Access, "--", backup], TextWriter.Null);
            code = code == ExitCodes.Complete ? await RunAsync(["versions", .. Access, "--", backup], versions) : code;
            if (code == ExitCodes.Interrupted)
            {
                return null;
            }

            if (code == ExitCodes.Complete)
            {
                environment.Output.Write(versions);
                return (backup, versions.ToString().Count(character => character == '\n'));
            }
        }
    }

    /// <summary>
    /// The folder itself, or the backup in it that the user chooses: people name the disk.
    /// </summary>
    private string FolderOf(string folder)
    {
        if (StorageLocation.IsBackup(folder) || BackupSearch.Below(folder) is not { Count: > 0 } found)
        {
            return folder;
        }

        if (found.Count == 1)
        {
            environment.Error.WriteLine($"The backup is in {SafeText.Escape(found[0])}");
            return found[0];
        }

        environment.Error.WriteLine($"Backups are in {Units.Count(found.Count, "folder")} of it:");
        for (var i = 0; i < found.Count; i++)
        {
            environment.Error.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"{i + 1, 4}  {SafeText.Escape(found[i])}")
            );
        }

        while (true)
        {
            var answer = AskWithHelp("Which one? [1] ", WizardHelp.Folder);
            if (answer.Length == 0)
            {
                return found[0];
            }

            if (
                int.TryParse(answer, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
                && number >= 1
                && number <= found.Count
            )
            {
                return found[number - 1];
            }

            environment.Error.WriteLine($"Give a number from 1 to {found.Count}");
        }
    }

    /// <summary>
    /// Each answer is checked when it is given: an answer that cannot be used is asked for again.
    /// </summary>
    /// <returns>Null if the user goes on in the browser.</returns>
    private async Task<WizardLine?> AskForRestAsync(string backup, int versions)
    {
        var line = new WizardLine(backup, null, null, given.Target, Overwrite: false) { Given = given.All };
        if (!given.HasVersion)
        {
            if (AskForVersion(versions) is not (var number, var time))
            {
                return null;
            }

            line = line with { Version = number, Time = time };
        }

        var top = await TopAsync(line);
        top.ForEach(environment.Output.WriteLine);
        while (!given.HasFilters)
        {
            var what = AskWithHelp(
                "What to restore (a file by its name, a file or folder by its path, '*.jpg'; b opens the browser)? [everything] ",
                [.. WizardHelp.What, .. top]
            );
            if (what == Browser)
            {
                return null;
            }

            line = line with { What = what.Length > 0 ? what : null };
            if (line.What is null || await RunAsync(line.Selection(Access), TextWriter.Null) != ExitCodes.NotFound)
            {
                break;
            }

            await ShowNearestAsync(line);
        }

        line = line with { Target = given.HasTarget ? null : AskForTarget(backup) };
        var overwrites =
            !given.HasOverwrite
            && HasEntries(given.Target ?? line.Target)
            && IsYes("Replace files that differ from the backup?", isDefault: false);
        return line with { Overwrite = overwrites, Given = [.. given.All, .. accepted] };
    }

    /// <returns>A number or a time, both null for the newest version; null if the user goes on in
    /// the browser.</returns>
    private (string? Number, string? Time)? AskForVersion(int versions)
    {
        const string Question = "Which version (its number, or a date such as 2026-01-31; 0 is the newest)? [0] ";
        while (true)
        {
            var version = AskWithHelp(Question, WizardHelp.Version);
            if (version == Browser)
            {
                return null;
            }

            if (version is "" or "0")
            {
                return (null, null);
            }

            // Eight digits are meant as a date, and the message below says how a date is written.
            if (
                int.TryParse(version, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
                && version.Length < 8
            )
            {
                if (number < versions)
                {
                    return (version, null);
                }

                environment.Error.WriteLine($"There is no version {version}: the oldest is {versions - 1}");
            }
            else if (TimeExpression.TryParse(version, environment.Clock, out _))
            {
                return (null, version);
            }
            else
            {
                environment.Error.WriteLine(
                    $"There is no version {version}: give a number from 0 to {versions - 1}, or a date such as 2026-01-31"
                );
            }
        }
    }

    /// <summary>
    /// The first level of the version, with sizes; empty if its list cannot be read, which the next
    /// step says.
    /// </summary>
    private async Task<List<string>> TopAsync(WizardLine line)
    {
        await using TopFolders top = new();
        var code = await RunAsync(
            ["ls", "--tree", "--quiet", .. line.VersionOption(), .. given.Versions, .. Access, "--", line.Backup],
            top
        );
        return code == ExitCodes.Complete ? [.. top.Lines()] : [];
    }

    /// <summary>What has a name like the one that was not found, in any version.</summary>
    private async Task ShowNearestAsync(WizardLine line)
    {
        var name = line.What!.Split('/', '\\')[^1];
        if (name.Length == 0 || name.AsSpan().IndexOfAny("*?[@") >= 0)
        {
            return;
        }

        using StringWriter found = new() { NewLine = "\n" };
        var quiet = environment with { Error = TextWriter.Null };
        if (
            await RunAsync(["find", "--quiet", $"--similar={name}", .. Access, "--", line.Backup], found, quiet)
            is ExitCodes.Complete
                or ExitCodes.Incomplete
        )
        {
            const int MostNames = 10;
            environment.Error.WriteLine("Names like it:");
            foreach (
                var path in found
                    .ToString()
                    .Split('\n')
                    .Where(text => text.Length > 0 && text[0] != ' ')
                    .Take(MostNames)
            )
            {
                environment.Error.WriteLine("    " + path);
            }
        }
    }

    /// <returns>Null for the original places, which an empty answer does not choose.</returns>
    private string? AskForTarget(string backup)
    {
        while (true)
        {
            var target = Home(
                AskWithHelp($"Into which folder ('{Original}' for the original places)? ", WizardHelp.Target)
            );
            var problem =
                target.Length == 0 ? "Give a folder; one that does not exist is created"
                : target == Original ? null
                : ProblemOf(target, backup);
            if (problem is null)
            {
                return target == Original ? null : target;
            }

            environment.Error.WriteLine(problem);
        }
    }

    private static bool HasEntries(string? folder)
    {
        try
        {
            return folder is null || (Directory.Exists(folder) && Directory.EnumerateFileSystemEntries(folder).Any());
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return true;
        }
    }

    /// <summary>
    /// Runs a command line. The passphrase is asked for once, and again if it was wrong; the key of
    /// a server is accepted once.
    /// </summary>
    private async Task<int> RunAsync(
        IReadOnlyList<string> arguments,
        TextWriter? output = null,
        CliEnvironment? inside = null
    )
    {
        var process = inside ?? environment;
        var code = await run(
            arguments,
            process with
            {
                Output = output ?? process.Output,
                Ask = Answered,
                AskSecret = environment.AskSecret is { } secret
                    ? prompt =>
                        prompt == CredentialsPrompt.Password
                            ? answers["AUTH_PASSWORD"] = secret(prompt)
                            : passphrase = secret(prompt)
                    : null,
                Variable = name =>
                    (name == "PASSPHRASE" ? passphrase : answers.GetValueOrDefault(name)) ?? environment.Variable(name),
            }
        );
        passphrase = code == ExitCodes.WrongPassphrase ? null : passphrase;
        return code;
    }

    private string? Answered(string prompt)
    {
        var answer = ask(prompt);
        if (prompt == CredentialsPrompt.User)
        {
            answers["AUTH_USERNAME"] = answer;
        }
        else if (SshServerPrompt.KeyIn(prompt) is { } key && answer?.Trim().ToLowerInvariant() is "y" or "yes")
        {
            accepted.Add($"--{SshServerPrompt.Option}={key}");
        }

        return answer;
    }

    /// <summary>An answer; a question mark is answered with what the question means.</summary>
    private string AskWithHelp(string question, IReadOnlyList<string> help)
    {
        while (true)
        {
            var answer = ask(question)?.Trim() ?? throw new OperationCanceledException();
            if (answer is not ("?" or "help"))
            {
                return answer;
            }

            foreach (var line in ExampleText.Of(help))
            {
                environment.Error.WriteLine(line);
            }
        }
    }

    /// <summary>
    /// There is no shell that replaces a tilde, or takes away the quotes of a path that was dragged
    /// to the terminal.
    /// </summary>
    private string Home(string answer) =>
        environment.FromHome(
            answer.Length > 1 && answer[0] is '"' or '\'' && answer[^1] == answer[0] ? answer[1..^1] : answer
        );

    private bool IsYes(string question, bool isDefault) =>
        YesOrNo.Ask(question, isDefault, ask, environment.Error.WriteLine);
}
