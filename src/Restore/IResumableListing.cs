namespace Restore;

/// <summary>
/// An <see cref="IVolumeStore"/> that can continue a listing that broke off. Optional: without it, a listing starts over, and files that were listed already
/// are left out.
/// </summary>
public interface IResumableListing
{
    /// <summary>Lists the files that come after <paramref name="lastName"/> in the store's own order, which does not change.</summary>
    /// <param name="lastName">The last name that the broken listing gave; null lists all files.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    IAsyncEnumerable<StoredFile> ListAfterAsync(string? lastName, CancellationToken cancellationToken);
}
