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
        Say(
            "Restores a Duplicati backup. An empty answer takes what is in brackets, ? explains a question, Ctrl-C ends it"
        );
        var usesPage = environment.OwnsWindow && WantsPage();
        if (await AskForBackupAsync() is not (string backup, WizardVersions versions))
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
                Say("Nothing was changed");
                return ExitCodes.Interrupted;
            }

            var code = await RunAsync([.. line.Arguments(commands, "--yes")]);
            environment.Output.WriteWhole($"The same on the command line: {line.Text(commands)}");
            return code;
        }
    }

    /// <summary>
    /// People who start the program by a double click prefer a browser to a console.
    /// </summary>
    private bool WantsPage()
    {
        Say("1  look and restore in the browser");
        Say("2  answer questions here");
        while (true)
        {
            switch (AskWithHelp("Which one? [1] ", WizardHelp.Start))
            {
                case "" or "1" or Browser:
                    return true;
                case "2":
                    return false;
                default:
                    Say("Give 1 or 2");
                    break;
            }
        }
    }

    /// <summary>The page writes nothing without a folder.</summary>
    private IEnumerable<string> PageTarget(string backup)
    {
        Say("The page restores into a folder that you give; without one, it only shows the backup");
        while (true)
        {
            var target = Home(AskWithHelp("Into which folder? [none] ", WizardHelp.PageTarget));
            if (target.Length == 0)
            {
                return [];
            }

            if (ProblemOf(target, backup) is not { } problem)
            {
                return [$"--restore-path={target}"];
            }

            Say(problem);
        }
    }

    private static string? ProblemOf(string target, string backup) =>
        File.Exists(target) ? $"{target} is a file"
        : Directory.Exists(backup) && FolderPath.IsInside(target, backup) ? $"{target} is in the folder of the backup"
        : null;

    /// <returns>The location, which the passphrase opens, and its versions; null if none
    /// was given, or at an interruption.</returns>
    private async Task<(string Location, WizardVersions Versions)?> AskForBackupAsync()
    {
        Say("A folder, the disk that it is on, or a storage URL");
        while (true)
        {
            var backup = Home(AskWithHelp("Where is the backup? ", WizardHelp.Backup));
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
                return (backup, new WizardVersions(versions.ToString()));
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
            Say($"The backup is in {SafeText.Escape(found[0])}");
            return found[0];
        }

        Say($"Backups are in {Units.Count(found.Count, "folder")} of it:");
        for (var i = 0; i < found.Count; i++)
        {
            Say(string.Create(CultureInfo.InvariantCulture, $"{i + 1, 4}  {SafeText.Escape(found[i])}"));
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

            Say($"Give a number from 1 to {found.Count}");
        }
    }

    /// <summary>
    /// Each answer is checked when it is given: an answer that cannot be used is asked for again.
    /// </summary>
    /// <returns>Null if the user goes on in the browser.</returns>
    private async Task<WizardLine?> AskForRestAsync(string backup, WizardVersions versions)
    {
        var line = new WizardLine(backup, null, null, given.Target, Overwrite: false) { Given = given.All };
        if (!given.HasVersion)
        {
            if (AskForVersion(line, versions) is not { } chosen)
            {
                return null;
            }

            line = chosen;
        }

        var top = await TopAsync(line);
        top.ForEach(environment.Output.WriteLine);
        if (!given.HasFilters)
        {
            if (await AskForFilesAsync(line, top) is not { } filtered)
            {
                return null;
            }

            line = filtered;
        }

        line = line with { Target = given.HasTarget ? null : AskForTarget(backup) };
        var overwrites =
            !given.HasOverwrite
            && HasEntries(given.Target ?? line.Target)
            && IsYes("Replace files that differ from the backup?", isDefault: false);
        return line with { Overwrite = overwrites, Given = [.. given.All, .. accepted] };
    }

    /// <returns>The line with what to restore; null if the user goes on in the browser.</returns>
    private async Task<WizardLine?> AskForFilesAsync(WizardLine line, IReadOnlyList<string> top)
    {
        Say("A file by its name, a file or folder by its path, or '*.jpg'; b opens the browser");
        IReadOnlyList<string> near = [];
        while (true)
        {
            var what = AskWithHelp("What to restore? [everything] ", [.. WizardHelp.What, .. top]);
            if (what == Browser)
            {
                return null;
            }

            what = WizardNames.Chosen(what, near);
            line = line with { What = what.Length > 0 ? what : null };
            if (
                line.What is null
                || await RunAsync(line.Selection([.. Access, .. given.Versions]), TextWriter.Null) != ExitCodes.NotFound
            )
            {
                return line;
            }

            near = await NearestAsync(line);
            if (near.Count > 0)
            {
                Say("Names like it; give the number of one, or another name:");
                WizardNames.Lines(near).ToList().ForEach(Say);
            }
        }
    }

    /// <returns>The line with the version; null if the user goes on in the browser.</returns>
    private WizardLine? AskForVersion(WizardLine line, WizardVersions versions)
    {
        if (versions.Warning is { } warning)
        {
            Say(warning);
        }

        Say("A number, a date such as 2026-01-31, or g: each file as it was last good. 0 is the newest");
        while (true)
        {
            var answer = AskWithHelp("Which version? [0] ", WizardHelp.Version);
            if (answer == Browser)
            {
                return null;
            }

            if (versions.With(line, answer, environment.Clock) is { } chosen)
            {
                return chosen;
            }

            Say(versions.Refusal(answer));
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

    /// <summary>
    /// The paths with a name like the one that was not found, in any version.
    /// </summary>
    private async Task<IReadOnlyList<string>> NearestAsync(WizardLine line)
    {
        var name = line.What!.Split('/', '\\')[^1];
        if (name.Length == 0 || name.AsSpan().IndexOfAny("*?[@") >= 0)
        {
            return [];
        }

        using StringWriter found = new() { NewLine = "\n" };
        var quiet = environment with { Error = TextWriter.Null };
        var code = await RunAsync(["find", "--quiet", $"--similar={name}", .. Access, "--", line.Backup], found, quiet);
        return code is ExitCodes.Complete or ExitCodes.Incomplete ? WizardNames.PathsIn(found.ToString()) : [];
    }

    /// <returns>Null for the original places, which an empty answer does not choose.</returns>
    private string? AskForTarget(string backup)
    {
        Say($"A folder, or '{Original}' for the original places");
        while (true)
        {
            var target = Home(AskWithHelp("Into which folder? ", WizardHelp.Target));
            var problem =
                target.Length == 0 ? "Give a folder; one that does not exist is created"
                : target == Original ? null
                : ProblemOf(target, backup);
            if (problem is null)
            {
                return target == Original ? null : target;
            }

            Say(problem);
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
                IsGuide = true,
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
                Say(line);
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

    /// <summary>Says something below what was printed before.</summary>
    private void Say(string line)
    {
        environment.Output.Flush();
        environment.Error.WriteLine(line);
    }

    private bool IsYes(string question, bool isDefault) => YesOrNo.Ask(question, isDefault, ask, Say);
}
