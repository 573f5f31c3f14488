namespace Restore.Cli.Rendering;

/// <summary>
/// Colours and line breaks for a person. Another output than a <see cref="ScreenWriter"/> gets the
/// text as it is.
/// </summary>
internal static class Ink
{
    private const string End = "\u001b[0m";

    // With fewer columns a word on each line is harder to read than what the terminal does.
    private const int LeastColumns = 24;

    extension(TextWriter output)
    {
        /// <summary>What is lost or removed.</summary>
        public string Red(string text) => output.Colored(text, "31");

        /// <summary>What is whole or added.</summary>
        public string Green(string text) => output.Colored(text, "32");

        /// <summary>What asks for attention.</summary>
        public string Yellow(string text) => output.Colored(text, "33");

        /// <summary>
        /// Writes a line; on a screen it breaks between words, and the rest is as far to the right
        /// as its text.
        /// </summary>
        /// <param name="line">Plain text; the colour of its first word is not counted as
        /// text.</param>
        /// <param name="head">The label at the start of the line, with its colour; null for
        /// none.</param>
        public void WriteProse(string line, string? head = null)
        {
            var width = output is ScreenWriter screen ? screen.Columns() : int.MaxValue;
            var first = true;
            foreach (var part in Break(line, width))
            {
                output.WriteLine(first && head is not null ? head + part[Plain(head).Length..] : part);
                first = false;
            }
        }

        private string Colored(string text, string code) =>
            output is ScreenWriter { HasColors: true } ? $"\u001b[{code}m{text}{End}" : text;
    }

    /// <summary>
    /// A line in parts that fit. A word that is longer than a line stays whole, so that it can be
    /// copied.
    /// </summary>
    public static IEnumerable<string> Break(string line, int width)
    {
        var indent = IndentOf(line);
        if (line.Length <= width || width - indent < LeastColumns)
        {
            yield return line;
            yield break;
        }

        var part = new StringBuilder(line[..indent]);
        var isEmpty = true;
        foreach (var word in line[indent..].Split(' '))
        {
            if (!isEmpty && part.Length + 1 + word.Length > width)
            {
                yield return part.ToString();
                part.Clear().Append(' ', indent);
                isEmpty = true;
            }

            part.Append(isEmpty ? "" : " ").Append(word);
            isEmpty = false;
        }

        yield return part.ToString();
    }

    /// <summary>
    /// Where the text begins: behind the spaces, and behind a label with two spaces after it.
    /// </summary>
    private static int IndentOf(string line)
    {
        var start = line.Length - line.TrimStart(' ').Length;
        var gap = start > 0 ? line.IndexOf("  ", start, StringComparison.Ordinal) : -1;

        // The labels of reports end within 14 columns. Two spaces farther to the right are in the
        // text.
        return gap is < 0 or > 14 ? start : line.Length - line[gap..].TrimStart(' ').Length;
    }

    private static string Plain(string head) =>
        head.IndexOf('\u001b', StringComparison.Ordinal) is var escape and >= 0
            ? head[..escape] + head[(head.IndexOf('m', escape) + 1)..].Replace(End, "", StringComparison.Ordinal)
            : head;
}
