namespace Restore.Storage;

/// <summary>A listing that may be restarted.</summary>
internal sealed class RetriedListing(IVolumeStore store, CancellationToken cancellationToken) : IAsyncDisposable
{
    // Far more than any backup has (500 TB of default volumes), and far less than a hostile server needs to fill the memory.
    private const int MaxFiles = 10_000_000;

    private readonly HashSet<string> seen = new(StringComparer.Ordinal);
    private IAsyncEnumerator<StoredFile>? entries;

    public StoredFile Current { get; private set; }

    public async ValueTask<bool> NextAsync()
    {
        entries ??= Start().GetAsyncEnumerator(cancellationToken);
        try
        {
            while (await entries.MoveNextAsync().ConfigureAwait(false))
            {
                if (RemoteNames.IsPlain(entries.Current.Name) && seen.Add(entries.Current.Name))
                {
                    Current = entries.Current;
                    return seen.Count <= MaxFiles ? true : throw TooMany();
                }
            }

            return false;
        }
        catch (TransientStoreException)
        {
            await DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (entries is { } running)
        {
            entries = null;
            await running.DisposeAsync().ConfigureAwait(false);
        }
    }

    private IAsyncEnumerable<StoredFile> Start() =>
        store is IResumableListing resumable ? resumable.ListAfterAsync(Current.Name, cancellationToken) : store.ListAsync(cancellationToken);

    private RestoreException TooMany() =>
        new(RestoreErrorCode.ListingTooLong, $"The folder lists more than {MaxFiles:N0} files", store.DisplayName);
}
