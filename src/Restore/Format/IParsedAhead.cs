namespace Restore.Format;

/// <summary>
/// The stream of a file list of which other threads parse parts while earlier parts are used.
/// </summary>
internal interface IParsedAhead
{
    /// <summary>
    /// The entries that were parsed from a place of the stream on; null if none were parsed from
    /// there.
    /// </summary>
    /// <param name="position">The end of an entry of the list.</param>
    /// <param name="next">The next place from which entries were parsed, as far as the stream was
    /// read.</param>
    ParsedEntries? From(long position, out long next);

    /// <summary>Passes over bytes that lie behind what was read.</summary>
    void Skip(long bytes);
}
