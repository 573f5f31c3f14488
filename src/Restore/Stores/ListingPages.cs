namespace Restore.Stores;

/// <summary>
/// The pages of one listing, for stores that list in pages: ends a listing that would not end by
/// itself, because it returns to the same page, because page after page is empty, or because one
/// more page always follows.
/// </summary>
public sealed class ListingPages
{
    // A page has at most 1,000 names on Amazon and 5,000 on Azure. Pages without a name follow one
    // another where much was deleted.
    private const int MostEmpty = 10_000;

    // Characters of first names and tokens. A page has 1,000 names or more, so a backup of 100 TB
    // has a few thousand pages.
    private const long MostCharacters = 64 << 20;

    private readonly HashSet<string> firsts = [];
    private readonly HashSet<string> tokens = [];
    private int empty;
    private long characters;

    /// <summary>Takes the next page.</summary>
    /// <param name="first">The first name on the page; null if the page has no name. Servers order
    /// names differently, but no page begins with the same name as an earlier page.</param>
    /// <param name="next">The token of the page after it; null or empty if it is the last
    /// one.</param>
    /// <exception cref="IOException">The listing repeats a page, has too many pages, or has too
    /// many pages without a name in a row.</exception>
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
