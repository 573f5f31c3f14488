namespace Restore.Cli.Rendering;

/// <summary>
/// Makes a name from a backup safe to print: characters that could control a terminal or break a
/// line become escapes.
/// </summary>
internal static class SafeText
{
    public static string Escape(string text)
    {
        var first = FirstUnsafe(text);
        if (first < 0)
        {
            return text;
        }

        var safe = new StringBuilder(text, 0, first, text.Length + 16);
        for (var i = first; i < text.Length; i++)
        {
            if (char.IsSurrogatePair(text, i))
            {
                safe.Append(text, i++, 2);
            }
            else if (IsUnsafe(text[i]))
            {
                safe.Append(CultureInfo.InvariantCulture, $"\\u{(int)text[i]:X4}");
            }
            else
            {
                safe.Append(text[i]);
            }
        }

        return safe.ToString();
    }

    private static int FirstUnsafe(string text)
    {
        for (var i = 0; i < text.Length; i++)
        {
            if (char.IsSurrogate(text[i]) || IsUnsafe(text[i]))
            {
                return i;
            }
        }

        return -1;
    }

    // Format characters include those that reverse the direction of writing, which can make
    // "txt.exe" look like "exe.txt".
    private static bool IsUnsafe(char character) =>
        char.GetUnicodeCategory(character)
            is UnicodeCategory.Control
                or UnicodeCategory.Format
                or UnicodeCategory.LineSeparator
                or UnicodeCategory.ParagraphSeparator
                or UnicodeCategory.Surrogate;
}
