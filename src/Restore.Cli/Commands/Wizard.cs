namespace Restore.Cli.Commands;

/// <summary><c>restore</c> alone on a terminal: asks where the backup is, which version, what, and where to; shows the plan; restores, and
/// prints the command line that does the same. Each step is a command line of the program.</summary>
internal sealed class Wizard(CliEnvironment environment, Func<string, string?> ask, Func<IReadOnlyList<string>, CliEnvironment, Task<int>> run)
{
    private const string Original = "original";

    private readonly Dictionary<string, string?> answers = [];
    private string? passphrase;

    public async Task<int> RunAsync(IReadOnlyList<ICliCommand> commands)
    {
        environment.Error.WriteLine("Restores a Duplicati backup. An empty answer takes what is in brackets; Ctrl-C ends it");
        if (await AskForBackupAsync() is not (string backup, int versions))
        {
            return ExitCodes.Interrupted;
        }

        while (true)
        {
            var line = await AskForRestAsync(backup, versions, commands);
            var plan = await RunAsync([.. line.Arguments(commands), "--dry-run"]);
            if (plan is not (ExitCodes.Complete or ExitCodes.Incomplete))
            {
                if (plan is ExitCodes.Usage or ExitCodes.NotFound or ExitCodes.TargetNotWritable or ExitCodes.WrongPassphrase
                    && IsYes("Try other answers?", isDefault: true))
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

    /// <returns>The location, which the passphrase opens, and the number of versions; null if none was given, or at an interruption.</returns>
    private async Task<(string Location, int Versions)?> AskForBackupAsync()
    {
        while (true)
        {
            var backup = Home(ask("Where is the backup (a folder, or a storage URL)? "));
            if (backup.Length == 0)
            {
                return null;
            }

            using StringWriter versions = new() { NewLine = "\n" };

            // The passphrase first: with it the list of versions says what is in them.
            var code = await RunAsync(["ls", "--", backup], TextWriter.Null);
            code = code == ExitCodes.Complete ? await RunAsync(["versions", "--", backup], versions) : code;
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

    /// <summary>Each answer is checked when it is given: an answer that cannot be used is asked for again.</summary>
    private async Task<WizardLine> AskForRestAsync(string backup, int versions, IReadOnlyList<ICliCommand> commands)
    {
        var version = Answer("Which version (0 is the newest)? [0] ");
        while (version.Length > 0 && !(int.TryParse(version, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number < versions))
        {
            environment.Error.WriteLine($"There is no version {version}: the oldest is {versions - 1}");
            version = Answer("Which version (0 is the newest)? [0] ");
        }

        var line = new WizardLine(backup, version is "" or "0" ? null : version, null, null, Overwrite: false);
        do
        {
            var what = Answer("What to restore (a file by its name, a file or folder by its path, '*.jpg')? [everything] ");
            line = line with { What = what.Length > 0 ? what : null };
        }
        while (line.What is not null && await RunAsync(line.Selection(), TextWriter.Null) == ExitCodes.NotFound);

        line = line with { Target = AskForTarget(backup) };
        return line with { Overwrite = HasEntries(line.Target) && IsYes("Replace files that differ from the backup?", isDefault: false) };
    }

    /// <returns>Null for the original places: nobody means them by an empty answer.</returns>
    private string? AskForTarget(string backup)
    {
        while (true)
        {
            var target = Home(Answer($"Into which folder ('{Original}' for the original places)? "));
            var problem = target.Length == 0 ? "Give a folder; one that does not exist is created"
                : target == Original ? null
                : File.Exists(target) ? $"{target} is a file"
                : Directory.Exists(backup) && FolderPath.IsInside(target, backup) ? $"{target} is in the folder of the backup"
                : null;
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

    /// <summary>Runs a command line. The passphrase is asked for once, and again if it was wrong.</summary>
    private async Task<int> RunAsync(IReadOnlyList<string> arguments, TextWriter? output = null)
    {
        var code = await run(arguments, environment with
        {
            Output = output ?? environment.Output,
            Ask = prompt => prompt == CredentialsPrompt.User ? answers["AUTH_USERNAME"] = ask(prompt) : ask(prompt),
            AskSecret = environment.AskSecret is { } secret
                ? prompt => prompt == CredentialsPrompt.Password ? answers["AUTH_PASSWORD"] = secret(prompt) : passphrase = secret(prompt) : null,
            Variable = name => (name == "PASSPHRASE" ? passphrase : answers.GetValueOrDefault(name)) ?? environment.Variable(name),
        });
        passphrase = code == ExitCodes.WrongPassphrase ? null : passphrase;
        return code;
    }

    private string Answer(string question) => ask(question)?.Trim() ?? throw new OperationCanceledException();

    /// <summary>There is no shell that replaces a tilde, or takes away the quotes of a path that was dragged to the terminal.</summary>
    private string Home(string? answer)
    {
        var path = answer?.Trim() ?? "";
        return environment.FromHome(path.Length > 1 && path[0] is '"' or '\'' && path[^1] == path[0] ? path[1..^1] : path);
    }

    private bool IsYes(string question, bool isDefault) => YesOrNo.Ask(question, isDefault, ask, environment.Error.WriteLine);
}

/// <summary>The answers, as a command line.</summary>
internal sealed record WizardLine(string Backup, string? Version, string? What, string? Target, bool Overwrite)
{
    /// <summary>The arguments, with one more before them.</summary>
    public IReadOnlyList<string> Arguments(IReadOnlyList<ICliCommand> commands, string first) =>
        [first, .. Arguments(commands)];

    /// <summary>A command line that selects the same and changes nothing.</summary>
    public IReadOnlyList<string> Selection() => ["verify", "--dry-run", .. VersionOption(), "--", Backup, .. What is null ? Array.Empty<string>() : [What]];

    public IReadOnlyList<string> Arguments(IReadOnlyList<ICliCommand> commands)
    {
        string[] operands = What is null ? [Backup] : [Backup, What];
        var isPlain = !DuplicatiForm.IsCommand(Backup, commands) && operands.All(operand => !operand.StartsWith('-'));
        return isPlain ? [.. operands, .. Options()] : [.. Options(), "--", .. operands];
    }

    /// <summary>The command line for a shell, without credentials.</summary>
    public string Text(IReadOnlyList<ICliCommand> commands)
    {
        var secrets = new KnownSecrets();
        foreach (var secret in StorageLocation.SecretsIn(Backup, new Dictionary<string, string>()))
        {
            secrets.Add(secret);
        }

        return secrets.Scrub($"restore {string.Join(' ', Arguments(commands).Select(ShellText.Quoted))}");
    }

    private string[] VersionOption() => Version is null ? [] : [$"--version={Version}"];

    private IEnumerable<string> Options()
    {
        foreach (var version in VersionOption())
        {
            yield return version;
        }

        if (Target is not null)
        {
            yield return $"--restore-path={Target}";
        }

        if (Overwrite)
        {
            yield return "--overwrite";
        }
    }
}
