namespace Restore.Cli.Rendering;

/// <summary>The layout of help: sections with a title, and entries with a text beside or below.</summary>
internal static class HelpLines
{
    private const int HeadWidth = 28;
    private const int TextWidth = 66;

    public static void WriteSection(TextWriter output, string title, IEnumerable<string> lines)
    {
        output.WriteLine();
        output.WriteLine(title + ":");
        foreach (var line in lines)
        {
            output.WriteLine("  " + line);
        }
    }

    /// <summary>An entry with its text beside it, or below it if it is long.</summary>
    public static IEnumerable<string> Entry(string head, string text)
    {
        if (head.Length > HeadWidth)
        {
            yield return head;
            head = "";
        }

        foreach (var line in Wrap(text))
        {
            yield return $"{head,-HeadWidth}  {line}";
            head = "";
        }
    }

    private static IEnumerable<string> Wrap(string text)
    {
        var line = "";
        foreach (var word in text.Split(' '))
        {
            if (line.Length > 0 && line.Length + 1 + word.Length > TextWidth)
            {
                yield return line;
                line = "";
            }

            line += line.Length > 0 ? " " + word : word;
        }

        yield return line;
    }
}
