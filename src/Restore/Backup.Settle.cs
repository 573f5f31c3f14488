namespace Restore;

/// <content>What path arguments mean in a version.</content>
public partial class Backup
{
    // Limit of arguments times entries, because a hostile list may have any number of entries.
    private const long MostLooksForNames = 10_000_000;

    /// <summary>
    /// Looks whether path arguments that are patterns, or <c>@name</c>, are names or paths of
    /// entries: <c>what?.txt</c> means that file if the version has it. Without such arguments
    /// nothing is read. An argument that begins with <c>*</c> is always a pattern.
    /// </summary>
    /// <param name="version">One of <see cref="Versions"/>.</param>
    /// <param name="filter">The filter.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The filter in which an argument has one meaning; it keeps both if the list is
    /// broken.</returns>
    public virtual async Task<EntryFilter> SettleAsync(
        BackupVersion version,
        EntryFilter filter,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(version);
        ArgumentNullException.ThrowIfNull(filter);
        List<(string Argument, EntryFilter Filter)> left =
        [
            .. filter.Ambiguous.Distinct().Select(argument => (argument, filter.OfNames(argument))),
        ];
        if (left.Count == 0)
        {
            return filter;
        }

        EntryFilter any = filter.OfNames(filter.Ambiguous);
        List<string> found = [];
        char[] scratch = [];
        long looks = 0;
        try
        {
            await Session
                .Catalog.PassAsync(version, any, Look, new IssueLog(), cancellationToken)
                .ConfigureAwait(false);
        }
        catch (RestoreException)
        {
            // The operation that reads the list for its entries reports what is wrong with it.
            return filter;
        }

        return found.Count == 0 ? filter : filter.WithNames(found);

        void Look(EntryInList entry)
        {
            for (int i = left.Count - 1; i >= 0 && looks < MostLooksForNames; i--, looks++)
            {
                if (left[i].Filter.Matches(entry.Path, ref scratch))
                {
                    found.Add(left[i].Argument);
                    left.RemoveAt(i);
                }
            }
        }
    }
}
