using System.CommandLine;
using System.Text.RegularExpressions;
using Restore.Cli;
using Restore.Cli.Commands;
using Restore.Cli.Help;
using Restore.Cli.Options;

namespace Restore.Tests.Cli;

/// <summary>
/// What the commands declare, as the sections of docs/cli.md that are marked as generated.
/// </summary>
internal sealed partial class Manual(IReadOnlyList<ICliCommand> commands)
{
    /// <summary>The page with all its generated sections generated again.</summary>
    public string Renew(string page) =>
        Marked()
            .Replace(
                page,
                match => $"<!-- generated: {match.Groups[1].Value} -->\n{Section(match.Groups[1].Value)}<!-- end -->\n"
            );

    /// <summary>The titles of the sections that a page has.</summary>
    public static IEnumerable<string> SectionsOf(string page) =>
        Marked().Matches(page).Select(match => match.Groups[1].Value);

    /// <summary>The titles of all sections of options.</summary>
    public IEnumerable<string> OptionTitles() =>
        commands.SelectMany(command => command.Options).Select(group => group.Title).Distinct();

    private string Section(string title) =>
        title switch
        {
            "usage" => string.Concat(
                commands.Select(command =>
                    $"    {HelpText.Usage(command, command == commands[0]), -58} {command.Summary}\n"
                )
            ),
            "exit codes" => Table(
                ["code", "meaning"],
                ExitCodes.Meanings.Select(code => new[] { $"{code.Code}", code.Meaning })
            ),
            "completion" => string.Concat(
                commands
                    .Single(command => command.Name == title)
                    .Operands[0]
                    .Details.Split('\n')
                    .Select(line => $"    {line}\n")
            ),
            _ => OptionTable([.. Options(title)]),
        };

    /// <summary>
    /// The commands that take the options stand above the table, or in it if they differ.
    /// </summary>
    private string OptionTable(Option[] options)
    {
        string[] takenBy = [.. options.Select(TakenBy).Distinct()];
        return takenBy.Length > 1
            ? Table(["option", "default", "for", "meaning"], options.Select(Row))
            : $"For {takenBy[0]}.\n\n"
                + Table(
                    ["option", "default", "meaning"],
                    options.Select(option => Row(option).Where((_, cell) => cell != 2).ToArray())
                );
    }

    private IEnumerable<Option> Options(string title) =>
        commands
            .SelectMany(command => command.Options)
            .Where(group => group.Title == title)
            .SelectMany(group => group.Options)
            .Distinct();

    private string[] Row(Option option)
    {
        var value = option.ValueName is not { } valueName
            ? ""
            : $"={valueName.Replace("|", "\\|", StringComparison.Ordinal)}";
        var names = string.Join(
            ", ",
            option.Names.Skip(1).Select(alias => $"`{alias}`").Prepend($"`{option.Name}{value}`")
        );
        var range = option.Range is { } text ? $" ({text})" : "";
        return
        [
            names,
            option.DefaultText ?? (option.TakesValue ? "" : "off"),
            TakenBy(option),
            OptionName().Replace(option.Description!, "`$0`") + range,
        ];
    }

    private string TakenBy(Option option)
    {
        var taking = commands
            .Where(command => command.Options.Any(group => group.Options.Contains(option)))
            .Select(command => command.Name)
            .ToList();
        return taking.Count == commands.Count ? "all commands" : string.Join(", ", taking.Select(name => $"`{name}`"));
    }

    private static string Table(string[] head, IEnumerable<string[]> rows) =>
        string.Concat(rows.Prepend([.. head.Select(_ => "---")]).Prepend(head).Select(Line))
            .Replace("| --- ", "|---", StringComparison.Ordinal);

    private static string Line(string[] cells) =>
        string.Concat(cells.Select(cell => cell.Length > 0 ? $"| {cell} " : "| ")) + "|\n";

    [GeneratedRegex("<!-- generated: (.+) -->\n[\\s\\S]*?<!-- end -->\n")]
    private static partial Regex Marked();

    [GeneratedRegex("--[a-z-]+")]
    private static partial Regex OptionName();
}
