namespace Restore.Cli.Help;

/// <summary>
/// The layout of help: sections with a title, and entries with a text next to or below it.
/// </summary>
internal static class HelpLines
{
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
            output.WriteLine("  " + line);
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

    /// <summary>Wraps what is too long for a terminal, each text in its column.</summary>
    public static string Fit(string help, CliEnvironment environment)
    {
        if (!environment.OutputIsTerminal)
        {
            return help;
        }

        var width = environment.TerminalWidth() - 1;
        var lines = help.ReplaceLineEndings("\n").Split('\n');
        List<string> fitted = [];

        // A text and the lines below it that begin in the same column are one entry, which is
        // wrapped as a whole. An entry stays as it is if it fits, or if its column would be too
        // narrow.
        for (var i = 0; i < lines.Length; )
        {
            var column = ColumnOf(lines[i]);
            var below = lines
                .Skip(i + 1)
                .TakeWhile(line => column > 0 && ColumnOf(line) == column && line[..column].Trim().Length == 0);
            string[] entry = [lines[i], .. below];
            i += entry.Length;
            if (entry.All(line => line.Length <= width) || width - column < LeastText)
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
