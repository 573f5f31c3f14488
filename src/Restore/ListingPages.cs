namespace Restore;

/// <summary>
/// The pages of one listing, for stores that list in pages: ends a listing that would not end by itself, because it comes to the same page again, or because
/// page after page is empty.
/// </summary>
public sealed class ListingPages
{
    // A page of Amazon has at most a thousand names, one of Azure five thousand; pages without one follow one another where much was deleted.
    private const int MostEmpty = 10_000;

    private readonly HashSet<string> firsts = [];
    private readonly HashSet<string> tokens = [];
    private int empty;

    /// <summary>Takes the next page.</summary>
    /// <param name="first">The first name on it; null if it has none. The order of the names is not that of all servers, but no page begins as an earlier
    /// one.</param>
    /// <param name="next">The token of the page after it; null or empty if it is the last one.</param>
    /// <exception cref="IOException">The listing goes in a circle, or has too many pages without a name.</exception>
    public void Add(string? first, string? next)
    {
        empty = first is null ? empty + 1 : 0;
        if ((first is not null && !firsts.Add(first)) || (next is { Length: > 0 } && !tokens.Add(next)))
        {
            throw new IOException("The store's listing goes in a circle: it comes to the same page again");
        }

        if (empty > MostEmpty)
        {
            throw new IOException($"The store's listing does not end: {MostEmpty:N0} pages in a row are empty");
        }
    }
}
