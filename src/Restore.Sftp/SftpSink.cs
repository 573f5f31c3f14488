using System.Runtime.CompilerServices;
using Renci.SshNet;
using Renci.SshNet.Common;
using Renci.SshNet.Sftp;

namespace Restore.Sftp;

/// <summary>A file is sent under another name, its size compared, and renamed.</summary>
internal sealed class SftpSink : IVolumeSink
{
    private readonly StoreContext context;
    private readonly SftpConnections connections;
    private readonly SftpStore store;

    public SftpSink(StoreContext context)
    {
        this.context = context;
        connections = new SftpConnections(context);
        store = new SftpStore(context, connections);
    }

    public string DisplayName => store.DisplayName;

    public bool IsLocal => false;

    public async IAsyncEnumerable<StoredFile> ListAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        bool isThere = await connections
            .RunAsync(
                client =>
                    WithinTimeoutAsync(token => client.ExistsAsync(store.Folder, token), "listing", cancellationToken),
                "the listing",
                cancellationToken
            )
            .ConfigureAwait(false);
        if (!isThere)
        {
            yield break;
        }

        await foreach (StoredFile file in store.ListAsync(cancellationToken).ConfigureAwait(false))
        {
            yield return file;
        }
    }

    public async ValueTask PutAsync(
        string name,
        ReadOnlyMemory<byte> content,
        CancellationToken cancellationToken = default
    ) =>
        await connections
            .RunAsync(client => PutAsync(client, name, content, cancellationToken), name, cancellationToken)
            .ConfigureAwait(false);

    public async ValueTask DeleteAsync(string name, CancellationToken cancellationToken = default)
    {
        try
        {
            await connections
                .RunAsync(
                    client =>
                        WithinTimeoutAsync(
                            token => client.DeleteFileAsync(store.PathOf(name), token),
                            name,
                            cancellationToken
                        ),
                    name,
                    cancellationToken
                )
                .ConfigureAwait(false);
        }
        catch (FileNotFoundException)
        {
            // It is deleted already.
        }
    }

    public ValueTask DisposeAsync() => connections.DisposeAsync();

    private async Task<bool> PutAsync(
        SftpClient client,
        string name,
        ReadOnlyMemory<byte> content,
        CancellationToken cancellationToken
    )
    {
        string partial = store.PathOf(StoreContext.PartialName(name));
        try
        {
            await SendAsync(client, partial, name, content, cancellationToken).ConfigureAwait(false);
        }
        catch (SftpPathNotFoundException)
        {
            await MakeFolderAsync(client, cancellationToken).ConfigureAwait(false);
            await SendAsync(client, partial, name, content, cancellationToken).ConfigureAwait(false);
        }

        SftpFileAttributes written = await WithinTimeoutAsync(
                token => client.GetAttributesAsync(partial, token),
                name,
                cancellationToken
            )
            .ConfigureAwait(false);

        // SFTP has no checksum of a file, so the length is what shows a full disk or a write that
        // was cut.
        if (written.Size != content.Length)
        {
            throw new TransientStoreException(
                $"The store has {written.Size} bytes of {name} after {content.Length} were sent"
            );
        }

        return await WithinTimeoutAsync(
                token => client.RenameFileAsync(partial, store.PathOf(name), token),
                name,
                cancellationToken
            )
            .ConfigureAwait(false);
    }

    private Task<bool> SendAsync(
        SftpClient client,
        string path,
        string name,
        ReadOnlyMemory<byte> content,
        CancellationToken cancellationToken
    ) =>
        context.Transfers.SendBodyAsync(
            content,
            name,
            async (body, token) =>
            {
                await client.UploadFileAsync(body, path, token).ConfigureAwait(false);
                return true;
            },
            cancellationToken
        );

    private async Task MakeFolderAsync(SftpClient client, CancellationToken cancellationToken)
    {
        string path = store.Folder.StartsWith('/') ? "" : ".";
        foreach (string part in store.Folder.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            path += "/" + part;
            try
            {
                await WithinTimeoutAsync(token => client.CreateDirectoryAsync(path, token), path, cancellationToken)
                    .ConfigureAwait(false);
            }
            catch (SftpException)
            {
                // It is there already, or another upload has made it.
                if (
                    !await WithinTimeoutAsync(token => client.ExistsAsync(path, token), path, cancellationToken)
                        .ConfigureAwait(false)
                )
                {
                    throw;
                }
            }
        }
    }

    private Task<bool> WithinTimeoutAsync(
        Func<CancellationToken, Task> step,
        string what,
        CancellationToken cancellationToken
    ) =>
        WithinTimeoutAsync(
            async token =>
            {
                await step(token).ConfigureAwait(false);
                return true;
            },
            what,
            cancellationToken
        );

    private Task<T> WithinTimeoutAsync<T>(
        Func<CancellationToken, Task<T>> step,
        string what,
        CancellationToken cancellationToken
    ) => context.Transfers.WithTimeoutAsync(step, what, cancellationToken);
}
