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
        /// Writes lines as they are, on a screen too: what is there to be copied or read by a
        /// program.
        /// </summary>
        public void WriteWhole(string lines)
        {
            if (output is ScreenWriter screen)
            {
                screen.WriteWhole(lines);
            }
            else
            {
                output.WriteLine(lines);
            }
        }

        private string Colored(string text, string code) =>
            output is ScreenWriter { HasColors: true } ? $"\u001b[{code}m{text}{End}" : text;
    }

    /// <summary>
    /// A line in parts that fit; those after the first are as far to the right as the text of the
    /// line. A word that is longer than a line stays whole, so that it can be copied.
    /// </summary>
    public static IEnumerable<string> Break(string line, int width)
    {
        var indent = IndentOf(line);
        if (LengthOf(line) <= width || width - LengthOf(line[..indent]) < LeastColumns)
        {
            yield return line;
            yield break;
        }

        var margin = LengthOf(line[..indent]);
        var part = new StringBuilder(line[..indent]);
        var length = margin;
        var isEmpty = true;
        foreach (var word in line[indent..].Split(' '))
        {
            if (!isEmpty && length + 1 + LengthOf(word) > width)
            {
                yield return part.ToString().TrimEnd(' ');
                part.Clear().Append(' ', margin);
                length = margin;
                isEmpty = true;
            }

            // The spaces between two columns are not the start of a line.
            if (isEmpty && word.Length == 0)
            {
                continue;
            }

            part.Append(isEmpty ? "" : " ").Append(word);
            length += (isEmpty ? 0 : 1) + LengthOf(word);
            isEmpty = false;
        }

        if (!isEmpty)
        {
            yield return part.ToString();
        }
    }

    /// <summary>
    /// Where the text begins: behind the spaces, and behind a label with two spaces after it.
    /// </summary>
    private static int IndentOf(string line)
    {
        var start = line.Length - line.TrimStart(' ').Length;
        var gap = start > 0 ? line.IndexOf("  ", start, StringComparison.Ordinal) : -1;

        // A label of nine letters has one space after it.
        if (
            start == 2
            && line.Length > 12
            && line[11] == ' '
            && line.IndexOf(' ', start) == 11
            && char.IsUpper(line[2])
        )
        {
            return 12;
        }

        // The labels of reports end within 14 columns. Two spaces farther to the right are in the
        // text.
        return gap < 0 || LengthOf(line[..gap]) > 14 ? start : line.Length - line[gap..].TrimStart(' ').Length;
    }

    /// <summary>
    /// The columns of a text: sequences for the terminal, such as colours, take none.
    /// </summary>
    public static int LengthOf(string text)
    {
        var length = 0;
        for (var i = 0; i < text.Length; i++)
        {
            if (text[i] == '\u001b')
            {
                while (i + 1 < text.Length && !char.IsAsciiLetter(text[i]))
                {
                    i++;
                }
            }
            else
            {
                length++;
            }
        }

        return length;
    }
}
