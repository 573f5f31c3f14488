namespace Restore.Storage;

/// <summary>A listing that may be restarted.</summary>
internal sealed class RetriedListing(IVolumeStore store, CancellationToken cancellationToken) : IAsyncDisposable
{
    private readonly HashSet<string> seen = new(StringComparer.Ordinal);
    private IAsyncEnumerator<StoredFile>? entries;
    private long others;
    private long characters;

    /// <summary>
    /// The most names: more than any backup has (100 TB of default volumes), and less than a
    /// hostile server needs to fill the memory.
    /// </summary>
    public int MostFiles { get; init; } = 4_000_000;

    /// <summary>
    /// The most characters of all names together. The names of a backup have about 60 each.
    /// </summary>
    public long MostCharacters { get; init; } = 256_000_000;

    public StoredFile Current { get; private set; }

    public async ValueTask<bool> NextAsync()
    {
        entries ??= Start().GetAsyncEnumerator(cancellationToken);
        try
        {
            while (await entries.MoveNextAsync().ConfigureAwait(false))
            {
                string name = entries.Current.Name;
                bool isNew = RemoteNames.IsPlain(name) && seen.Add(name);

                // Names that are skipped count too, or a server that repeats one name would keep
                // the listing running without end.
                others += isNew ? 0 : 1;
                characters += isNew ? name.Length : 0;
                if (seen.Count > MostFiles || others > MostFiles || characters > MostCharacters)
                {
                    throw new RestoreException(
                        RestoreErrorCode.ListingTooLong,
                        $"The folder lists more names than a backup has (at most {MostFiles:N0})",
                        store.DisplayName
                    );
                }

                if (isNew)
                {
                    Current = entries.Current;
                    return true;
                }
            }

            return false;
        }
        catch (TransientStoreException)
        {
            others = 0;
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
        store is IResumableListing resumable
            ? resumable.ListAfterAsync(Current.Name, cancellationToken)
            : store.ListAsync(cancellationToken);
}
