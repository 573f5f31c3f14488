namespace Restore.Catalog.Locating;

/// <summary>
/// A source of block locations. A source belongs to one search, which takes one step at a time, and
/// adds what it finds to the <see cref="SearchState"/>.
/// </summary>
internal interface ILocationSource
{
    /// <summary>Takes the next step: reads something that may bring the search forward.</summary>
    /// <returns>False if the source has nothing more to add for what is needed now.</returns>
    Task<bool> TryStepAsync(Action<int, int> progress, CancellationToken cancellationToken);
}
