using System.Runtime.CompilerServices;
using Renci.SshNet;
using Renci.SshNet.Sftp;

namespace Restore.Sftp;

/// <summary>
/// Lists and reads a folder of an SSH server. SSH.NET speaks the protocol; this library handles
/// retries, timeouts and ranges.
/// </summary>
internal sealed class SftpStore : IVolumeStore, IFolderListing
{
    private const int MostFolders = 24;

    private readonly StoreContext context;
    private readonly SftpConnections connections;
    private readonly string folder;
    private volatile string[] folders = [];

    public SftpStore(StoreContext context)
        : this(context, new SftpConnections(context)) { }

    public SftpStore(StoreContext context, SftpConnections connections)
    {
        (this.context, this.connections) = (context, connections);
        string path = context.Url.Path.TrimStart('/');
        folder = context.Url.Options.Flag(SftpOptions.RelativePath) ? path : "/" + path;
    }

    public string DisplayName => context.Url.DisplayName;

    public bool HasRanges => true;

    public bool IsLocal => false;

    public IReadOnlyCollection<string> ListedFolders => folders;

    /// <summary>The folder as the server knows it.</summary>
    public string Folder => folder.Length > 0 ? folder : ".";

    public string PathOf(string name) => folder.Length > 0 ? $"{folder.TrimEnd('/')}/{name}" : name;

    public async IAsyncEnumerable<StoredFile> ListAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);

        // A listing stays on the connection that it began on: its place in the folder is a handle
        // of that connection.
        SftpClient client = await AskAsync(client => Task.FromResult(client), cancellationToken).ConfigureAwait(false);
        IAsyncEnumerator<ISftpFile> entries = client
            .ListDirectoryAsync(Folder, stop.Token)
            .GetAsyncEnumerator(stop.Token);
        await using (entries.ConfigureAwait(false))
        {
            while (
                await AskAsync(_ => NextAsync(entries, stop, cancellationToken), cancellationToken)
                    .ConfigureAwait(false)
            )
            {
                if (await FileAsync(entries.Current, cancellationToken).ConfigureAwait(false) is { } file)
                {
                    yield return file;
                }
            }
        }
    }

    public async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    ) =>
        destination.IsEmpty
            ? 0
            : await connections
                .RunAsync(
                    client => ReadAsync(client, name, offset, destination, cancellationToken),
                    name,
                    cancellationToken
                )
                .ConfigureAwait(false);

    public ValueTask DisposeAsync() => connections.DisposeAsync();

    private async Task<int> ReadAsync(
        SftpClient client,
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken
    )
    {
        (SftpFileStream file, SftpFileStream part) = await context
            .Transfers.WithTimeoutAsync(
                token => SftpRange.OpenAsync(client, PathOf(name), offset, destination.Length, token),
                name,
                cancellationToken
            )
            .ConfigureAwait(false);
        try
        {
            var answer = new RangeAnswer(IsPartial: true, offset, FileBytes: null, BodyBytes: null);
            return await context
                .Transfers.ReadBodyAsync(part, answer, name, offset, destination, cancellationToken)
                .ConfigureAwait(false);
        }
        finally
        {
            _ = SftpRange.CloseAsync(file);
        }
    }

    private async Task<T> AskAsync<T>(Func<SftpClient, Task<T>> request, CancellationToken cancellationToken)
    {
        try
        {
            return await connections.RunAsync(request, "the listing", cancellationToken).ConfigureAwait(false);
        }
        catch (FileNotFoundException failure)
        {
            throw new RestoreException(
                RestoreErrorCode.RemoteFolderNotFound,
                "There is no such folder",
                DisplayName,
                failure
            );
        }
    }

    /// <summary>Reads the next entry. The listing's own token is canceled at the timeout.</summary>
    private Task<bool> NextAsync(
        IAsyncEnumerator<ISftpFile> entries,
        CancellationTokenSource stop,
        CancellationToken cancellationToken
    ) =>
        context.Transfers.WithTimeoutAsync(
            async token =>
            {
                using CancellationTokenRegistration ending = token.UnsafeRegister(
                    static stop => ((CancellationTokenSource)stop!).Cancel(),
                    stop
                );
                return await entries.MoveNextAsync().ConfigureAwait(false);
            },
            "listing",
            cancellationToken
        );

    /// <summary>A file, or a link to one; null for anything else.</summary>
    private async Task<StoredFile?> FileAsync(ISftpFile entry, CancellationToken cancellationToken)
    {
        SftpFileAttributes attributes = entry.Attributes;
        if (attributes.IsSymbolicLink)
        {
            try
            {
                attributes = await AskAsync(
                        client =>
                            context.Transfers.WithTimeoutAsync(
                                token => client.GetAttributesAsync(PathOf(entry.Name), token),
                                "listing",
                                cancellationToken
                            ),
                        cancellationToken
                    )
                    .ConfigureAwait(false);
            }
            catch (RestoreException failure) when (failure.Code == RestoreErrorCode.RemoteFolderNotFound)
            {
                return null;
            }
        }

        if (attributes.IsDirectory && entry.Name is not ("." or "..") && folders.Length < MostFolders)
        {
            folders = [.. folders.Append(entry.Name).Distinct()];
        }

        return attributes.IsRegularFile ? new StoredFile(entry.Name, attributes.Size) : null;
    }
}
