using Restore.Cli.Help;

namespace Restore.Cli.Options;

/// <summary>
/// Explains a first argument that looks like a command but is not one.
/// </summary>
internal static class FirstWord
{
    // Commands of Duplicati that have another form here, or do not exist.
    private static readonly (string Words, string Instead)[] Others =
    [
        (
            "list-broken-files",
            "'restore verify --all-versions' names what is lost, 'restore repair --purge-broken-files --dry-run' what would go"
        ),
        ("purge-broken-files", "'restore repair --purge-broken-files' leaves lost files out of the file lists"),
        ("purge", "nothing takes sound files out of versions; 'restore delete' deletes versions"),
        ("list-changes", "'restore diff' compares two versions, 'restore versions -l' counts what changed in each"),
        ("create-report", "'restore --program-version' and --log-file=FILE have what a report of a bug needs"),
        ("recreate recreate-database", "'restore database' makes the local database"),
        (
            "vacuum",
            "nothing here needs a local database; 'restore database' makes one without waste, 'restore compact' wins space back in the store"
        ),
        ("sync", "nothing keeps a folder equal to another one without versions; 'restore backup' makes a backup"),
        ("set-locks setlocks", "volumes are not locked in the store; a default retention of the bucket does it"),
        ("read-lock-info readlockinfo", "locks of objects are not read; the console of the store shows them"),
        (
            "system-info systeminfo",
            "'restore --program-version' has version and system, 'restore stores' the stores, 'restore self-check' tries the program"
        ),
        (
            "send-mail",
            "no mail is sent; --notify-command=PROGRAM starts a program after a restore, --run-script-after=PROGRAM after a backup"
        ),
        ("changelog", "CHANGELOG.md of the project has the changes, 'restore --program-version' the version"),
        ("example examples", "'restore help' has examples, and 'restore help <command>' those of a command"),
    ];

    /// <summary>The words that are refused, with what to use instead.</summary>
    public static IEnumerable<(string Word, string Instead)> NotHere =>
        Others.SelectMany(other => other.Words.Split(' '), (other, word) => (word, other.Instead));

    /// <summary>Null if the argument is valid.</summary>
    public static string? ErrorIn(DuplicatiForm line, IReadOnlyList<ICliCommand> commands)
    {
        if (line.Word is not null || line.IsExplicit || line.Operands is not [var first, ..])
        {
            return null;
        }

        return line.AsksForHelp ? UnknownTopic(first, commands)
            : NotHere.FirstOrDefault(other => other.Word == first).Instead is { } instead && !Path.Exists(first)
                ? $"{first} is no command here: {instead}"
            : Misspelled(first, line, commands) is { } near
                ? $"There is no command and no folder '{first}'. Did you mean 'restore {near}'?"
            : null;
    }

    private static string? UnknownTopic(string topic, IReadOnlyList<ICliCommand> commands)
    {
        if (HelpTopics.Names.Contains(topic))
        {
            return null;
        }

        var near = Suggestion.Nearest(topic, commands.Skip(1).Select(named => named.Name).Concat(HelpTopics.Names));
        return $"There is no help on '{topic}'"
            + (
                near is null
                    ? $"; topics are {string.Join(", ", HelpTopics.Names)}, and each command"
                    : $". Did you mean 'restore help {near}'?"
            );
    }

    /// <summary>The command that the argument probably means, if it can be no backup.</summary>
    private static string? Misspelled(string word, DuplicatiForm line, IReadOnlyList<ICliCommand> commands) =>
        word.AsSpan().IndexOfAny("/\\:.") >= 0
        || Path.Exists(word)
        || line.Options.Any(given => given.Option.Details.NamesBackup)
            ? null
            : Suggestion.Nearest(word, commands.Select(named => named.Name));
}
