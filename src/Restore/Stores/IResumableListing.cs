namespace Restore.Stores;

/// <summary>
/// An <see cref="IVolumeStore"/> that can continue an interrupted listing. Optional: without it, a
/// listing starts over, and files that were listed already are skipped.
/// </summary>
public interface IResumableListing
{
    /// <summary>
    /// Lists the files that come after <paramref name="lastName"/> in the store's own order, which
    /// does not change.
    /// </summary>
    /// <param name="lastName">The last name from the interrupted listing; null to list all
    /// files.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    IAsyncEnumerable<StoredFile> ListAfterAsync(string? lastName, CancellationToken cancellationToken);
}
