namespace Restore.Storage.WebDav;

internal sealed class WebDavSink : IVolumeSink
{
    private readonly WebDavStore store;
    private readonly WebDavFolder folder;

    public WebDavSink(StoreContext context)
    {
        store = new WebDavStore(context);
        folder = new WebDavFolder(store.Connection.Files, store.Connection.Folder, context.Url.DisplayName);
    }

    public string DisplayName => store.DisplayName;

    public bool IsLocal => false;

    public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) =>
        MissingFolder.AsEmpty(store, cancellationToken);

    public async ValueTask PutAsync(
        string name,
        ReadOnlyMemory<byte> content,
        CancellationToken cancellationToken = default
    ) => await folder.PutAsync(name, content, cancellationToken).ConfigureAwait(false);

    public async ValueTask DeleteAsync(string name, CancellationToken cancellationToken = default) =>
        await folder.DeleteAsync(name, cancellationToken).ConfigureAwait(false);

    public ValueTask DisposeAsync()
    {
        folder.Dispose();
        return store.DisposeAsync();
    }
}
