namespace Restore.Storage;

/// <summary>The listing of a folder for a writer, who makes the folder if it is missing.</summary>
internal static class MissingFolder
{
    public static async IAsyncEnumerable<StoredFile> AsEmpty(
        IVolumeStore store,
        [EnumeratorCancellation] CancellationToken cancellationToken
    )
    {
        IAsyncEnumerator<StoredFile> files = store.ListAsync(cancellationToken).GetAsyncEnumerator(cancellationToken);
        await using (files.ConfigureAwait(false))
        {
            while (await IsMoreAsync(files).ConfigureAwait(false))
            {
                yield return files.Current;
            }
        }
    }

    private static async ValueTask<bool> IsMoreAsync(IAsyncEnumerator<StoredFile> files)
    {
        try
        {
            return await files.MoveNextAsync().ConfigureAwait(false);
        }
        catch (RestoreException failure)
            when (failure.Code is RestoreErrorCode.RemoteFolderNotFound or RestoreErrorCode.LocationNotFound)
        {
            return false;
        }
    }
}
