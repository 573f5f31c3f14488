namespace Restore.Cli.Help;

/// <summary>The manual page in the macros of man(7).</summary>
internal static class ManPage
{
    private static readonly (string Name, string Meaning)[] Variables =
    [
        ("PASSPHRASE", "the passphrase of the backup, if no option gives it"),
        ("AUTH_USERNAME, AUTH_PASSWORD", "the credentials of the store, if no option gives them"),
        ("NO_COLOR", "draws progress without colors"),
    ];

    public static void Write(TextWriter page, IReadOnlyList<ICliCommand> commands)
    {
        page.WriteLine(".TH RESTORE 1 \"\" \"restore\" \"User Commands\"");
        page.WriteLine(".nh\n.ad l");
        page.WriteLine(".SH NAME\nrestore \\- restores Duplicati backups");
        page.WriteLine(".SH SYNOPSIS");
        foreach (var command in commands)
        {
            page.WriteLine($".B {Text(HelpText.Usage(command, command == commands[0]))}\n.br");
        }

        page.WriteLine(".SH DESCRIPTION");
        page.WriteLine(
            Text(
                "Restores Duplicati backups from a folder or a storage URL: fetches each volume once, and verifies every file"
            )
        );
        page.WriteLine(".PP\n" + Text("Alone on a terminal, restore asks for what it needs"));
        page.WriteLine(".SH COMMANDS");
        foreach (var command in commands)
        {
            Write(page, command, command == commands[0]);
        }

        page.WriteLine(".SH OPTIONS");
        foreach (
            var (title, options) in commands
                .SelectMany(command => OptionGroup.Sections(command.Options))
                .GroupBy(section => section.Title)
                .Select(sections => (sections.Key, sections.SelectMany(section => section.Options).Distinct()))
        )
        {
            page.WriteLine($".SS {Text(title)}");
            foreach (var option in options)
            {
                Write(page, option);
            }
        }

        WriteList(page, "EXIT STATUS", ExitCodes.Meanings.Select(code => ($"{code.Code}", code.Meaning)));
        WriteList(page, "ENVIRONMENT", Variables);
        page.WriteLine(".SH EXAMPLES\n.nf");
        foreach (var example in commands.SelectMany(command => command.Examples).Distinct())
        {
            page.WriteLine(Text(example));
        }

        page.WriteLine(".fi");
    }

    private static void Write(TextWriter page, ICliCommand command, bool isMain)
    {
        page.WriteLine($".SS {Text(HelpText.Usage(command, isMain))}\n{Text(Sentence(command.Summary))}");
        foreach (var operand in command.Operands.Where(operand => operand.Details.Length > 0))
        {
            page.WriteLine(".PP\n.nf");
            foreach (var line in operand.Details.Split('\n'))
            {
                page.WriteLine(Text(line));
            }

            page.WriteLine(".fi");
        }

        page.WriteLine(
            $".PP\nOptions: {string.Join(", ", command.Options.SelectMany(group => group.Options).Select(option => Text(option.Name)))}"
        );
    }

    private static void Write(TextWriter page, Option option)
    {
        var value = option.ValueName is { } name ? $"=\\fI{Text(name)}\\fR" : "";
        page.WriteLine(
            $".TP\n{string.Join(", ", option.Names.Select((alias, index) => $"\\fB{Text(alias)}\\fR{(index == 0 ? value : "")}"))}"
        );
        page.WriteLine(Text(Sentence(HelpText.Describe(option))));
    }

    private static void WriteList(TextWriter page, string title, IEnumerable<(string Name, string Meaning)> rows)
    {
        page.WriteLine($".SH {title}");
        foreach (var (name, meaning) in rows)
        {
            page.WriteLine($".TP\n.B {Text(name)}\n{Text(Sentence(meaning))}");
        }
    }

    private static string Sentence(string text) => char.ToUpperInvariant(text[0]) + text[1..];

    /// <summary>
    /// Text for troff: a line that begins with a dot or a quote would be a request.
    /// </summary>
    private static string Text(string text)
    {
        // Without the escapes, troff prints typographic characters for hyphens, quotes, tildes and
        // carets, and a copied command line does not work.
        var safe = text.Replace("\\", "\\e", StringComparison.Ordinal)
            .Replace("-", "\\-", StringComparison.Ordinal)
            .Replace("'", "\\(aq", StringComparison.Ordinal)
            .Replace("~", "\\(ti", StringComparison.Ordinal)
            .Replace("^", "\\(ha", StringComparison.Ordinal);
        return safe.StartsWith('.') ? "\\&" + safe : safe;
    }
}
