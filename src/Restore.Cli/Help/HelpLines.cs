namespace Restore.Cli.Help;

/// <summary>
/// The layout of help: sections with a title, and entries with a text next to or below it.
/// </summary>
internal static class HelpLines
{
    /// <summary>The title of the section with command lines to be copied.</summary>
    public const string Examples = "Examples";

    private const int SectionIndent = 2;

    // A shorter line is a title; a longer one begins a paragraph.
    private const int LeastParagraph = 70;
    private const int HeadWidth = 28;
    private const int TextWidth = 66;

    // In a narrower column nearly every word would be on a line of its own.
    private const int LeastText = 20;

    public static void WriteSection(TextWriter output, string title, IEnumerable<string> lines)
    {
        output.WriteLine();
        output.WriteLine(title + ":");
        foreach (var line in lines)
        {
            output.WriteLine(new string(' ', SectionIndent) + line);
        }
    }

    /// <summary>An entry with its text next to it, or below it if the head is long.</summary>
    public static IEnumerable<string> Entry(string head, string text)
    {
        if (head.Length > HeadWidth)
        {
            yield return head;
            head = "";
        }

        foreach (var line in Wrap(text, TextWidth))
        {
            yield return $"{head, -HeadWidth}  {line}";
            head = "";
        }
    }

    /// <summary>
    /// Writes help; on a terminal, what is too long for it is wrapped, each text in its column.
    /// </summary>
    public static void WriteFitted(string help, CliEnvironment environment)
    {
        var text = help.TrimEnd('\r', '\n');
        environment.Output.WriteWhole(environment.OutputIsTerminal ? Fit(text, environment) : text);
    }

    private static string Fit(string help, CliEnvironment environment)
    {
        var width = environment.TerminalWidth() - 1;
        var lines = help.ReplaceLineEndings("\n").Split('\n');
        List<string> fitted = [];
        var isExample = false;

        // A text and the lines below it that begin in the same column are one entry, which is
        // wrapped as a whole; each line of a section that has no text next to it is an entry. An
        // entry stays as it is if it fits, if its column would be too narrow, or if it is there to
        // be copied.
        for (var i = 0; i < lines.Length; )
        {
            var column = ColumnOf(lines[i]);
            var below = lines
                .Skip(i + 1)
                .TakeWhile(line =>
                    line.Length > 0
                    && (column > SectionIndent || (column == 0 && lines[i].Length >= LeastParagraph))
                    && ColumnOf(line) == column
                    && line[..column].Trim().Length == 0
                );
            string[] entry = [lines[i], .. below];
            i += entry.Length;
            isExample = entry[0].Length > 0 && entry[0][0] != ' ' ? entry[0] == $"{Examples}:" : isExample;
            if (isExample || entry.All(line => line.Length <= width) || width - column < LeastText)
            {
                fitted.AddRange(entry);
                continue;
            }

            var head = lines[i - entry.Length][..column];
            foreach (var line in Wrap(string.Join(' ', entry.Select(line => line[column..])), width - column))
            {
                fitted.Add(head + line);
                head = new string(' ', column);
            }
        }

        return string.Join(environment.Output.NewLine, fitted);
    }

    /// <summary>Where the text of a line begins: after its head, if it has one.</summary>
    private static int ColumnOf(string line)
    {
        var indent = line.Length - line.TrimStart(' ').Length;
        var gap = line.IndexOf("  ", indent, StringComparison.Ordinal);
        return gap < 0 ? indent : line.Length - line[gap..].TrimStart(' ').Length;
    }

    private static IEnumerable<string> Wrap(string text, int width)
    {
        var line = "";
        foreach (var word in text.Split(' '))
        {
            if (line.Length > 0 && line.Length + 1 + word.Length > width)
            {
                yield return line;
                line = "";
            }

            line += line.Length > 0 ? " " + word : word;
        }

        yield return line;
    }
}
