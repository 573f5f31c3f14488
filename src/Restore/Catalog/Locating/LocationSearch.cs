namespace Restore.Catalog.Locating;

/// <summary>Asks location sources, the cheapest first, until everything that is needed is located or none has more to say.</summary>
/// <param name="search">What the sources share.</param>
/// <param name="sources">The sources, in order of cost.</param>
internal sealed class LocationSearch(SearchState search, IReadOnlyList<ILocationSource> sources)
{
    public async Task RunAsync(Action<int, int> progress, CancellationToken cancellationToken)
    {
        while (!search.IsSettled && await TryStepAsync(progress, cancellationToken).ConfigureAwait(false))
        {
        }
    }

    /// <summary>Takes the cheapest step that is left: after each, a source that had nothing to say may have more.</summary>
    private async Task<bool> TryStepAsync(Action<int, int> progress, CancellationToken cancellationToken)
    {
        foreach (ILocationSource source in sources)
        {
            if (await source.TryStepAsync(progress, cancellationToken).ConfigureAwait(false))
            {
                return true;
            }
        }

        return false;
    }
}
