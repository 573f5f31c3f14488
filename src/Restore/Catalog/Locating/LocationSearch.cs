namespace Restore.Catalog.Locating;

/// <summary>
/// Asks location sources in order of cost, until everything needed is located or no source has more
/// to add.
/// </summary>
internal sealed class LocationSearch(SearchState search, IReadOnlyList<ILocationSource> sources)
{
    public async Task RunAsync(Action<int, int> progress, CancellationToken cancellationToken)
    {
        while (!search.IsSettled && await TryStepAsync(progress, cancellationToken).ConfigureAwait(false)) { }
    }

    /// <summary>
    /// Takes the cheapest step that is left: after each step, a source that had nothing to add may
    /// have more.
    /// </summary>
    private async Task<bool> TryStepAsync(Action<int, int> progress, CancellationToken cancellationToken)
    {
        foreach (ILocationSource source in sources)
        {
            if (await source.TryStepAsync(progress, cancellationToken).ConfigureAwait(false))
            {
                return true;
            }

            // The end of a survey can settle a search although nothing was read.
            if (search.IsSettled)
            {
                return false;
            }
        }

        return false;
    }
}
