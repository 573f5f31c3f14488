namespace Restore.Catalog.Locating;

/// <summary>
/// A place that says where blocks are. A source belongs to one search, which takes one step at a time; what a source finds goes to the
/// <see cref="SearchState"/>.
/// </summary>
internal interface ILocationSource
{
    /// <summary>Takes the next step: reads what may settle more of the search.</summary>
    /// <param name="progress">Receives how many volumes of how many are read.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>False if the source has nothing more to say, by what is needed now.</returns>
    Task<bool> TryStepAsync(Action<int, int> progress, CancellationToken cancellationToken);
}
