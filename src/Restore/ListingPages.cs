namespace Restore;

/// <summary>
/// The pages of one listing, for stores that list in pages: ends a listing that would not end by
/// itself, because it comes to the same page again, because page after page is empty, or because
/// there is always one more.
/// </summary>
public sealed class ListingPages
{
    // A page of Amazon has at most a thousand names, one of Azure five thousand; pages without one
    // follow one another where much was deleted.
    private const int MostEmpty = 10_000;

    // Of first names and tokens: a page has a thousand names or more, and a backup of 100 TB a few
    // thousand pages.
    private const long MostCharacters = 64 << 20;

    private readonly HashSet<string> firsts = [];
    private readonly HashSet<string> tokens = [];
    private int empty;
    private long characters;

    /// <summary>Takes the next page.</summary>
    /// <param name="first">The first name on it; null if it has none. The order of the names is not
    /// that of all servers, but no page begins as an earlier one.</param>
    /// <param name="next">The token of the page after it; null or empty if it is the last
    /// one.</param>
    /// <exception cref="IOException">The listing goes in a circle, or has too many pages, or too
    /// many without a name in a row.</exception>
    public void Add(string? first, string? next)
    {
        empty = first is null ? empty + 1 : 0;
        if ((first is not null && !firsts.Add(first)) || (next is { Length: > 0 } && !tokens.Add(next)))
        {
            throw new IOException("The store's listing goes in a circle: it comes to the same page again");
        }

        characters += (first?.Length ?? 0) + (next?.Length ?? 0);
        if (characters > MostCharacters)
        {
            throw new IOException(
                $"The store's listing does not end: {firsts.Count:N0} pages are more than a backup has"
            );
        }

        if (empty > MostEmpty)
        {
            throw new IOException($"The store's listing does not end: {MostEmpty:N0} pages in a row are empty");
        }
    }
}
