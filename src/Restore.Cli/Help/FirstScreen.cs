namespace Restore.Cli.Help;

/// <summary>What <c>restore --help</c> prints: enough to begin, on one screen.</summary>
internal static class FirstScreen
{
    private const string About =
        "Restores Duplicati backups: fetches each volume once, verifies every block, and needs no local database.";

    private const string Guide =
        "restore                  (on a terminal: asks where the backup is, what to restore, and where to)";

    private const int NameWidth = 15;

    /// <summary>
    /// The commands by what they are for, without those for the shell; the first command, which
    /// restores, is the usage itself.
    /// </summary>
    public static readonly IReadOnlyList<(string Title, string[] Commands)> Groups =
    [
        ("Look", ["versions", "assess", "ls", "find", "history", "diff", "cat", "export", "browse", "mount"]),
        ("Find the backup", ["jobs", "stores"]),
        ("Check", ["verify", "check", "affected", "self-check"]),
        ("Make", ["backup", "test-filters", "restorer", "delete", "compact", "repair", "database"]),
        ("Many machines", ["plan", "run", "finish", "shard-estimate"]),
    ];

    private const string Rest = "Other";

    private static readonly string[] Options =
    [
        "--restore-path",
        "--version",
        "--time",
        "--overwrite",
        "--dry-run",
        "--passphrase-file",
        "--yes",
    ];

    public static void Write(TextWriter output, IReadOnlyList<ICliCommand> commands)
    {
        output.WriteLine(About);
        HelpLines.WriteSection(
            output,
            "Usage",
            [Guide, $"{HelpText.Usage(commands[0], isMain: true)} [options]", "restore <command> ..."]
        );
        HelpLines.WriteSection(output, HelpLines.Examples, ExampleText.Of(commands[0].Examples));
        output.WriteLine();
        string[] others =
        [
            .. commands.Skip(1).Select(command => command.Name).Except(Groups.SelectMany(group => group.Commands)),
        ];
        foreach (var (title, names) in Groups.Append((Rest, others)))
        {
            output.WriteLine(title + ":");
            foreach (
                var command in commands
                    .Where(command => names.Contains(command.Name))
                    .OrderBy(command => Array.IndexOf(names, command.Name))
            )
            {
                output.WriteLine($"  {command.Name, -NameWidth} {command.Summary}");
            }
        }

        var all = commands[0].Options.SelectMany(group => group.Options).ToList();
        HelpLines.WriteSection(
            output,
            "Options",
            Options
                .Select(name => all.Single(option => option.Name == name))
                .Select(option =>
                    $"{option.Name + (option.ValueName is null ? "" : "=" + option.ValueName), -24} {option.ShortDescription}"
                )
        );
        output.WriteLine();
        output.WriteLine($"More: restore <command> --help; restore help {string.Join(" | ", HelpTopics.Names)}");
    }
}
