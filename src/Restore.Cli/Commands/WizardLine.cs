namespace Restore.Cli.Commands;

/// <summary>The answers, as a command line.</summary>
internal sealed record WizardLine(string Backup, string? Version, string? What, string? Target, bool Overwrite)
{
    /// <summary>
    /// Options that were given beside the answers, and hold for every command line.
    /// </summary>
    public IReadOnlyList<string> Given { get; init; } = [];

    /// <summary>The version as a date, in place of its number.</summary>
    public string? Time { get; init; }

    /// <summary>Each file from its newest good version, in place of one version.</summary>
    public bool LastGood { get; init; }

    /// <summary>The arguments, with one more before them.</summary>
    public IReadOnlyList<string> Arguments(IReadOnlyList<ICliCommand> commands, string first) =>
        [first, .. Arguments(commands)];

    /// <summary>A command line that selects the same and changes nothing.</summary>
    public IReadOnlyList<string> Selection(IReadOnlyList<string> access) =>
        [
            // A drill takes the files of one version.
            .. LastGood ? new[] { "ls" } : ["verify", "--dry-run"],
            .. VersionOption(),
            .. access,
            "--",
            Backup,
            .. What is null ? Array.Empty<string>() : [What],
        ];

    public IReadOnlyList<string> Arguments(IReadOnlyList<ICliCommand> commands)
    {
        string[] operands = What is null ? [Backup] : [Backup, What];

        // The short form is ambiguous if the backup has the name of a command, or if an answer
        // looks like an option.
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

        foreach (
            var (name, value) in Given
                .Select(option => option.TrimStart('-').Split('=', 2))
                .Where(pair => pair.Length == 2)
                .Select(pair => (pair[0], pair[1]))
        )
        {
            // The name of a file or program that provides a secret is not secret itself.
            secrets.Add(
                ForeignOptions.IsSecret(name)
                && !name.EndsWith("-file", StringComparison.Ordinal)
                && !name.EndsWith("-command", StringComparison.Ordinal)
                    ? value
                    : null
            );
        }

        return secrets.Scrub($"restore {string.Join(' ', Arguments(commands).Select(ShellText.Quoted))}");
    }

    public string[] VersionOption() =>
        LastGood ? ["--last-good"]
        : Version is not null ? [$"--version={Version}"]
        : Time is not null ? [$"--time={Time}"]
        : [];

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

        foreach (var option in Given)
        {
            yield return option;
        }
    }
}
