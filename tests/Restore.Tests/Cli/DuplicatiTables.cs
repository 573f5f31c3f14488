using System.CommandLine;
using System.Text.RegularExpressions;
using Restore.Cli.Commands;
using Restore.Cli.Options;

namespace Restore.Tests.Cli;

/// <summary>The tables of docs/duplicati.md, made from what the program declares.</summary>
/// <param name="commands">The commands of the program.</param>
/// <param name="options">The names of Duplicati's options.</param>
internal sealed partial class DuplicatiTables(IReadOnlyList<ICliCommand> commands, IReadOnlyList<string> options)
{
    /// <summary>The page with its tables generated again.</summary>
    public string Renew(string page) =>
        Marked()
            .Replace(
                page,
                match => $"<!-- generated: {match.Groups[1].Value} -->\n{Section(match.Groups[1].Value)}<!-- end -->\n"
            );

    /// <summary>Duplicati's names of commands, and the names here.</summary>
    public static IEnumerable<(string Word, string Command)> Words(IEnumerable<ICliCommand> commands) =>
        commands
            .SelectMany(command => command.DuplicatiNames.Select(word => (word, command.Name)))
            .OrderBy(pair => pair.word, StringComparer.Ordinal);

    private string Section(string title) =>
        title switch
        {
            "words" => Table("| Duplicati | here |", Words(commands).Select(Row)),
            "same" => string.Join(", ", options.Where(IsDeclared).Select(name => $"`--{name}`")) + "\n",
            "stores" => string.Join(
                ", ",
                options
                    .Where(name => !IsDeclared(name) && ForeignOptions.IsStoreOption(name))
                    .Select(name => $"`--{name}`")
            ) + "\n",
            "words without a command" => Table(
                "| Duplicati | here |",
                FirstWord.NotHere.Select(word => $"| `{word.Word}` | {word.Instead} |")
            ),
            "refused" => Table(
                "| option | refused by | reason |",
                DuplicatiOptions.All.Where(group => group.RefusedBy.Length > 0).Select(RowOfRefused)
            ),
            _ => Table(
                "| option | why it has no effect |",
                DuplicatiOptions.All.Where(group => group.RefusedBy.Length == 0).Select(Row)
            ),
        };

    private bool IsDeclared(string name) =>
        commands
            .SelectMany(command => command.Options)
            .SelectMany(group => group.Options)
            .Any(option => option.Names.Contains("--" + name));

    private static string Row((string Word, string Command) pair) =>
        $"| `{pair.Word}` | {(pair.Word == "list" ? "`versions`; with a filter `ls`, with `--all-versions` too `find`" : $"`{pair.Command}`")} |";

    private static string Row(DuplicatiOptions group) => $"| {Names(group)} | {group.Title}: {group.Reason} |";

    private static string RowOfRefused(DuplicatiOptions group)
    {
        var by = group.RefusedBy switch
        {
            "*" => "all commands",
            "reading" => "commands that change no backup",
            _ => string.Join(", ", group.RefusedBy.Split(' ').Select(command => $"`{command}`")),
        };
        var harmless =
            group.Harmless.Length > 0
                ? $" (not with {string.Join(", ", group.Harmless.Split(' ').Select(value => $"`{value}`"))})"
                : "";
        return $"| {Names(group)}{harmless} | {by} | {group.Title}: {group.Reason} |";
    }

    private static string Names(DuplicatiOptions group) =>
        string.Join(", ", group.Names.Order(StringComparer.Ordinal).Select(name => $"`--{name}`"));

    private static string Table(string head, IEnumerable<string> rows) =>
        string.Join(
            '\n',
            [head, "|" + string.Concat(Enumerable.Repeat("---|", head.Count(letter => letter == '|') - 1)), .. rows]
        ) + "\n";

    [GeneratedRegex("<!-- generated: (.+) -->\n[\\s\\S]*?<!-- end -->\n")]
    private static partial Regex Marked();
}
