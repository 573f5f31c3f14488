namespace Restore.Format.Selection;

/// <summary>
/// Text in composed form (NFC of the Unicode Standard), in which 'é' is one character: a Mac writes
/// it as two, and keyboards as one. <c>string.Normalize</c> changes nothing in a program that runs
/// without the tables of the system.
/// </summary>
internal static class ComposedText
{
    // The first combining character. All before it are in composed form.
    private const char FirstUnsure = '\u0300';

    /// <summary>Whether a text is in composed form for certain.</summary>
    public static bool IsComposed(ReadOnlySpan<char> text)
    {
        // A search of the framework for a range allocates until its code is optimized, which
        // counts for each path of a list.
        foreach (char character in text)
        {
            if (character >= FirstUnsure && CanonicalTable.IsUnsure(character))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>The composed form of a text.</summary>
    public static string Of(string text) => IsComposed(text) ? text : Compose(text);

    /// <summary>
    /// The composed form of a text. It takes as long as sorting the text, whatever the text
    /// contains.
    /// </summary>
    public static string Compose(ReadOnlySpan<char> text)
    {
        // The steps of NFC:
        // 1. Decompose each character fully.
        // 2. Sort what combines with the same character by combining class.
        // 3. Join each character with the starter before it, if there is a character for both.
        List<(int Character, byte Class)> parts = new(text.Length);
        for (int at = 0; at < text.Length; )
        {
            bool isPair = char.IsHighSurrogate(text[at]) && at + 1 < text.Length && char.IsLowSurrogate(text[at + 1]);
            Decompose(isPair ? char.ConvertToUtf32(text[at], text[at + 1]) : text[at], parts);
            at += isPair ? 2 : 1;
        }

        Order(parts);
        StringBuilder composed = new(text.Length);
        foreach (int character in Joined(parts))
        {
            if (character < 0x10000)
            {
                // A lone surrogate stays what it is.
                composed.Append((char)character);
            }
            else
            {
                composed.Append(char.ConvertFromUtf32(character));
            }
        }

        return composed.ToString();
    }

    private static void Decompose(int character, List<(int Character, byte Class)> parts)
    {
        // The second part of a decomposition has none itself.
        if (CanonicalTable.TryDecompose(character, out int first, out int second))
        {
            Decompose(first, parts);
            if (second != 0)
            {
                parts.Add((second, CanonicalTable.ClassOf(second)));
            }
        }
        else
        {
            parts.Add((character, CanonicalTable.ClassOf(character)));
        }
    }

    /// <summary>
    /// Sorts what combines with the same character, which keeps the order of equal classes.
    /// </summary>
    private static void Order(List<(int Character, byte Class)> parts)
    {
        for (int start = 0; start < parts.Count; start++)
        {
            int end = start;
            bool isSorted = true;
            for (; end < parts.Count && parts[end].Class != 0; end++)
            {
                isSorted &= end == start || parts[end - 1].Class <= parts[end].Class;
            }

            if (!isSorted)
            {
                // OrderBy is stable, which the standard requires. It also keeps a hostile name with
                // thousands of accents from taking the square of its length.
                (int Character, byte Class)[] sorted = [.. parts[start..end].OrderBy(part => part.Class)];
                for (int i = 0; i < sorted.Length; i++)
                {
                    parts[start + i] = sorted[i];
                }
            }

            start = end;
        }
    }

    private static List<int> Joined(List<(int Character, byte Class)> parts)
    {
        List<int> joined = new(parts.Count);
        int starter = -1;
        byte last = 0;
        foreach ((int character, byte order) in parts)
        {
            // A character is out of reach of the starter if one of its class, or a higher one,
            // stands between them.
            bool isNext = starter >= 0 && starter == joined.Count - 1;
            if (
                starter >= 0
                && (isNext || last < order)
                && CanonicalTable.TryCompose(joined[starter], character, out int composed)
            )
            {
                joined[starter] = composed;
                continue;
            }

            if (order == 0)
            {
                starter = joined.Count;
            }

            last = order;
            joined.Add(character);
        }

        return joined;
    }
}
