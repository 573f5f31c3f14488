namespace Restore.Storage;

/// <summary>A store that can go on with a listing that broke off, instead of starting over.</summary>
internal interface IResumableListing
{
    /// <summary>Lists the files that come after <paramref name="lastName"/> in the store's own order; all of them when it is null.</summary>
    IAsyncEnumerable<StoredFile> ListAfterAsync(string? lastName, CancellationToken cancellationToken);
}
