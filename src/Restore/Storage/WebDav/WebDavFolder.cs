using System.Net;
using Restore.Storage.Http;

namespace Restore.Storage.WebDav;

/// <summary>
/// Writes to a folder of a WebDAV server. A file is sent under another name, its size compared, and
/// then renamed: a connection that breaks leaves nothing that looks like a volume. A server that
/// does not rename gets the file under its own name.
/// </summary>
internal sealed class WebDavFolder(HttpFiles files, Uri folder, string where) : IDisposable
{
    private static readonly HttpMethod MakeCollection = new("MKCOL");
    private static readonly HttpMethod Move = new("MOVE");

    private readonly SemaphoreSlim making = new(1);

    private volatile bool renames = true;

    public async Task PutAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        if (renames)
        {
            string partial = PartialName.Of(name);
            try
            {
                await SendAsync(partial, content, cancellationToken).ConfigureAwait(false);
                if (await TryRenameAsync(partial, name, cancellationToken).ConfigureAwait(false))
                {
                    return;
                }
            }
            catch (Exception failure) when (failure is IOException)
            {
                await TryDeleteAsync(partial, cancellationToken).ConfigureAwait(false);
                throw;
            }

            renames = false;
            await TryDeleteAsync(partial, cancellationToken).ConfigureAwait(false);
        }

        await SendAsync(name, content, cancellationToken).ConfigureAwait(false);
    }

    public void Dispose() => making.Dispose();

    public async Task DeleteAsync(string name, CancellationToken cancellationToken)
    {
        using HttpResponseMessage response = await RequestAsync(HttpMethod.Delete, UriOf(name), name, cancellationToken)
            .ConfigureAwait(false);
        if (
            !response.IsSuccessStatusCode && response.StatusCode is not (HttpStatusCode.NotFound or HttpStatusCode.Gone)
        )
        {
            throw files.FailureOf(response, name);
        }
    }

    private Uri UriOf(string name) => new(folder, RemoteNames.EscapePath(name));

    private async Task SendAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        using HttpResponseMessage first = await files
            .PutAsync(UriOf(name), name, content, cancellationToken)
            .ConfigureAwait(false);

        // The folder is made when a file shows that it is missing: making it first would cost a
        // request in every run, which fails where the folder exists.
        if (first.StatusCode is HttpStatusCode.NotFound or HttpStatusCode.Conflict)
        {
            Exception? refusal = await MakeFolderAsync(cancellationToken).ConfigureAwait(false);
            using HttpResponseMessage second = await files
                .PutAsync(UriOf(name), name, content, cancellationToken)
                .ConfigureAwait(false);
            Require(second, name, refusal);
        }
        else
        {
            Require(first, name);
        }

        await CompareSizeAsync(name, content.Length, cancellationToken).ConfigureAwait(false);
    }

    private async Task CompareSizeAsync(string name, int sizeBytes, CancellationToken cancellationToken)
    {
        using HttpResponseMessage response = await RequestAsync(HttpMethod.Head, UriOf(name), name, cancellationToken)
            .ConfigureAwait(false);
        Require(response, name);
        if (response.Content.Headers.ContentLength is { } there && there != sizeBytes)
        {
            throw new TransientStoreException($"The store has {there} bytes of {name}, though {sizeBytes} were sent");
        }
    }

    private async Task<bool> TryRenameAsync(string partial, string name, CancellationToken cancellationToken)
    {
        HttpRequestMessage Request(Uri address)
        {
            var request = new HttpRequestMessage(Move, address);
            request.Headers.Add("Destination", new Uri(address, RemoteNames.EscapePath(name)).AbsoluteUri);

            // A volume is never replaced: its name is new, or another writer has it.
            request.Headers.Add("Overwrite", "F");
            return request;
        }

        using HttpResponseMessage response = await files
            .SendAsync(Request, UriOf(partial), name, cancellationToken)
            .ConfigureAwait(false);
        switch (response.StatusCode)
        {
            case HttpStatusCode.Forbidden or HttpStatusCode.MethodNotAllowed or HttpStatusCode.NotImplemented:
                return false;
            case HttpStatusCode.PreconditionFailed:
                throw new IOException($"{name} is in {where} already");
            default:
                Require(response, name);
                return true;
        }
    }

    /// <summary>
    /// One request at a time: a server can lock the folder while it creates it (423), and a second
    /// request would not make it faster.
    /// </summary>
    private async Task<Exception?> MakeFolderAsync(CancellationToken cancellationToken)
    {
        await making.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await MakeAsync(folder, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            making.Release();
        }
    }

    /// <summary>
    /// Returns why it could not be made. If another upload has just made it that does not matter:
    /// the next request shows it.
    /// </summary>
    private async Task<Exception?> MakeAsync(Uri missing, CancellationToken cancellationToken)
    {
        using HttpResponseMessage response = await RequestAsync(
                MakeCollection,
                missing,
                "the folder",
                cancellationToken
            )
            .ConfigureAwait(false);
        if (
            response.StatusCode is not (HttpStatusCode.Conflict or HttpStatusCode.NotFound)
            || missing.AbsolutePath.Length <= 1
        )
        {
            return response.IsSuccessStatusCode ? null : files.FailureOf(response, "the folder");
        }

        await MakeAsync(new Uri(missing, ".."), cancellationToken).ConfigureAwait(false);
        using HttpResponseMessage again = await RequestAsync(MakeCollection, missing, "the folder", cancellationToken)
            .ConfigureAwait(false);
        return again.IsSuccessStatusCode ? null : files.FailureOf(again, "the folder");
    }

    private void Require(HttpResponseMessage response, string what, Exception? cause = null)
    {
        if (response.IsSuccessStatusCode)
        {
            return;
        }

        // What is not found here is the folder to write to.
        throw cause
            ?? (
                response.StatusCode is HttpStatusCode.NotFound
                    ? new IOException($"The folder of {where} cannot be made")
                    : files.FailureOf(response, what)
            );
    }

    private Task<HttpResponseMessage> RequestAsync(
        HttpMethod method,
        Uri uri,
        string what,
        CancellationToken cancellationToken
    ) => files.SendAsync(address => new HttpRequestMessage(method, address), uri, what, cancellationToken);

    private async Task TryDeleteAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            await DeleteAsync(name, cancellationToken).ConfigureAwait(false);
        }
        catch (IOException)
        {
            // The name says what it is, and the next writer removes it.
        }
    }
}
