namespace Restore.Format;

/// <summary>
/// Parses the entries of a part of a file list without knowing what is before it. Where the part
/// has an entry of the list is a guess, so only a reader that came to that place entry by entry may
/// use the result.
/// </summary>
internal sealed class CompactEntries(BlockLayout layout)
{
    // A hostile list can look like the start of an entry at every place.
    private const int MostGuesses = 4;

    private readonly FileListFields fields = new(layout);

    // The end of an entry, and the start of the next one. In a text of JSON a quotation mark has a
    // backslash before it, so this is either between two objects, or at the end of a text, and then
    // no name follows.
    private static ReadOnlySpan<byte> Between => "},{\""u8;

    /// <summary>
    /// Parses the first entries of a part that are consecutive, sound, and written without blanks.
    /// </summary>
    /// <param name="part">Bytes of the list.</param>
    /// <param name="offset">Where they begin in the list.</param>
    /// <param name="into">Gets the entries; is empty if there are none.</param>
    public void Parse(ReadOnlySpan<byte> part, long offset, ParsedEntries into)
    {
        into.Clear();
        int start = 0;
        for (int guess = 0; guess < MostGuesses && into.Count == 0; guess++)
        {
            int found = part[start..].IndexOf(Between);
            if (found < 0)
            {
                return;
            }

            start += found + 1;
            into.Place(offset + start, offset + start + Parse(part[start..], into));
        }
    }

    /// <returns>The length of the entries.</returns>
    private int Parse(ReadOnlySpan<byte> part, ParsedEntries into)
    {
        int used = 0;

        // The reader of the list reports the first entry that cannot be used, so the entries end
        // before it.
        while (fields.TryReadCompact(part[used..], out int length) && fields.Problem() is null)
        {
            used += length;
            into.Add(fields.Entry());
        }

        return used;
    }
}
