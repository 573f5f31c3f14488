using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore</c> alone on a terminal: asks where the backup is, which version, what, and where to; shows the plan; restores, and
/// prints the command line that does the same. Each step is a command line of the program.</summary>
internal sealed class Wizard(CliEnvironment environment, Func<string, string?> ask, Func<IReadOnlyList<string>, CliEnvironment, Task<int>> run)
{
    private string? passphrase;

    public async Task<int> RunAsync(IReadOnlyList<ICliCommand> commands)
    {
        environment.Error.WriteLine("Restores a Duplicati backup. An empty answer takes what is in brackets; Ctrl-C ends it");
        if (await AskForBackupAsync() is not { } backup)
        {
            return ExitCodes.Interrupted;
        }

        while (true)
        {
            var line = AskForRest(backup);
            var plan = await RunAsync([.. line.Arguments(commands), "--dry-run"]);
            if (plan is not (ExitCodes.Complete or ExitCodes.Incomplete))
            {
                if (plan is ExitCodes.Usage or ExitCodes.NotFound or ExitCodes.TargetNotWritable or ExitCodes.WrongPassphrase
                    && IsYes(ask("Try other answers? [Y/n] "), isDefault: true))
                {
                    continue;
                }

                return plan;
            }

            if (!IsYes(ask("Restore this? [Y/n] "), isDefault: true))
            {
                environment.Error.WriteLine("Nothing was changed");
                return ExitCodes.Interrupted;
            }

            var code = await RunAsync(line.Arguments(commands));
            environment.Output.WriteLine($"The same on the command line: {line.Text(commands)}");
            return code;
        }
    }

    /// <returns>The location; null if none was given, or at an interruption.</returns>
    private async Task<string?> AskForBackupAsync()
    {
        while (true)
        {
            var backup = Home(ask("Where is the backup (a folder, or a storage URL)? "));
            if (backup.Length == 0)
            {
                return null;
            }

            switch (await RunAsync(["versions", "--", backup]))
            {
                case ExitCodes.Complete:
                    return backup;
                case ExitCodes.Interrupted:
                    return null;
            }
        }
    }

    private WizardLine AskForRest(string backup)
    {
        var version = Answer("Which version (0 is the newest)? [0] ");
        var what = Answer("What to restore (a name, a path, '*.jpg'; a folder ends with a separator)? [everything] ");
        var target = Home(ask("Into which folder? [the original places] "));
        var overwrite = IsYes(ask("Replace files that differ from the backup? [y/N] "), isDefault: false);
        return new WizardLine(backup, version is "" or "0" ? null : version, what.Length > 0 ? what : null, target.Length > 0 ? target : null, overwrite);
    }

    /// <summary>Runs a command line. The passphrase is asked for once, and again if it was wrong.</summary>
    private async Task<int> RunAsync(IReadOnlyList<string> arguments)
    {
        var code = await run(arguments, environment with
        {
            AskSecret = environment.AskSecret is { } secret ? prompt => passphrase = secret(prompt) : null,
            Variable = name => name == "PASSPHRASE" && passphrase is not null ? passphrase : environment.Variable(name),
        });
        passphrase = code == ExitCodes.WrongPassphrase ? null : passphrase;
        return code;
    }

    private string Answer(string question) => ask(question)?.Trim() ?? "";

    /// <summary>There is no shell that replaces a tilde.</summary>
    private string Home(string? answer)
    {
        var path = answer?.Trim() ?? "";
        return (path == "~" || path.StartsWith("~/", StringComparison.Ordinal)) && environment.Variable("HOME") is { } home ? home + path[1..] : path;
    }

    private static bool IsYes(string? answer, bool isDefault) => answer?.Trim().ToLowerInvariant() switch
    {
        "y" or "yes" => true,
        "n" or "no" => false,
        _ => isDefault,
    };
}

/// <summary>The answers, as a command line.</summary>
internal sealed record WizardLine(string Backup, string? Version, string? What, string? Target, bool Overwrite)
{
    public IReadOnlyList<string> Arguments(IReadOnlyList<ICliCommand> commands)
    {
        string[] operands = What is null ? [Backup] : [Backup, What];
        var isPlain = DuplicatiWords.Find(Backup, commands) is null && Backup != "help" && operands.All(operand => !operand.StartsWith('-'));
        return isPlain ? [.. operands, .. Options()] : [.. Options(), "--", .. operands];
    }

    /// <summary>The command line for a shell, without credentials.</summary>
    public string Text(IReadOnlyList<ICliCommand> commands)
    {
        var secrets = new SecretScrubber();
        foreach (var secret in StorageSecrets.In(Backup, new Dictionary<string, string>()))
        {
            secrets.Add(secret);
        }

        return secrets.Scrub($"restore {string.Join(' ', Arguments(commands).Select(ShellText.Quoted))}");
    }

    private IEnumerable<string> Options()
    {
        if (Version is not null)
        {
            yield return $"--version={Version}";
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
