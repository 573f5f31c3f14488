using System.Globalization;
using System.Net;
using Azure;
using Azure.Core.Pipeline;
using Azure.Storage;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Specialized;
using Azure.Storage.Sas;

namespace Restore.Azure;

/// <summary>
/// The container of a URL and how to reach it. As in Duplicati, the container is the folder: a path
/// in the URL has no meaning.
/// </summary>
internal sealed class AzureConnection : IDisposable
{
    // A request is signed when it is sent; the clocks of this machine and of the service may
    // differ.
    private static readonly TimeSpan SignedFor = TimeSpan.FromHours(2);

    private readonly StoreUrl url;
    private readonly string? token;

    public AzureConnection(StoreContext context)
    {
        (Context, url) = (context, context.Url);
        Http = new StoreHttp(context, new StoreAnswerLimit(context));
        var options = new BlobClientOptions { Transport = new HttpClientTransport(Http.Client) };

        // The library retries and has timeouts of its own.
        options.Retry.MaxRetries = 0;
        options.Retry.NetworkTimeout = Timeout.InfiniteTimeSpan;
        options.Diagnostics.IsDistributedTracingEnabled = false;
        options.Diagnostics.IsTelemetryEnabled = false;

        string? account = url.Username ?? url.Options.Text(AzureOptions.Account);
        string? key = url.Password ?? url.Options.Text(AzureOptions.Key);
        token = url.Options.Text(AzureOptions.Token)?.TrimStart('?');
        if (account is null || (key ?? token) is null)
        {
            throw new RestoreException(
                RestoreErrorCode.CredentialsMissing,
                "Azure needs the name of the account, and its access key or a SAS token",
                url.DisplayName
            );
        }

        Uri address = AddressOf(account);
        Container = token is not null
            ? new BlobContainerClient(address, new AzureSasCredential(token), options)
            : new BlobContainerClient(address, Credential(account, key!), options);
    }

    public StoreContext Context { get; }

    public StoreHttp Http { get; }

    public BlobContainerClient Container { get; }

    /// <summary>The address of a file with the right to read it.</summary>
    public Uri ReadAddressOf(string name)
    {
        BlockBlobClient blob = Container.GetBlockBlobClient(name);
        return token is not null
            ? new UriBuilder(blob.Uri) { Query = token }.Uri
            : blob.GenerateSasUri(BlobSasPermissions.Read, Context.TimeProvider.GetUtcNow() + SignedFor);
    }

    /// <summary>
    /// Runs a request of the SDK within the timeout, and throws what the port defines.
    /// </summary>
    public Task<T> AskAsync<T>(
        Func<CancellationToken, Task<T>> request,
        string what,
        CancellationToken cancellationToken
    ) => MappedAsync(() => Context.Transfers.WithTimeoutAsync(request, what, cancellationToken), what);

    /// <summary>
    /// Throws what the port defines for a failure of the SDK or of the connection.
    /// </summary>
    public async Task<T> MappedAsync<T>(Func<Task<T>> exchange, string what)
    {
        try
        {
            return await exchange().ConfigureAwait(false);
        }
        catch (RequestFailedException failure) when (failure.GetRawResponse() is { } response)
        {
            string? retryAfter = response.Headers.TryGetValue("Retry-After", out string? wait) ? wait : null;
            throw FailureOf((HttpStatusCode)failure.Status, failure.ErrorCode, retryAfter, what, failure);
        }
        catch (Exception failure)
            when (failure
                    is RequestFailedException
                        or HttpRequestException
                        or IOException
                        and not TransientStoreException
            )
        {
            throw Http.FailureOf(
                failure is RequestFailedException { InnerException: { } cause } ? cause : failure,
                what
            );
        }
    }

    /// <summary>The exception to throw for an answer that is not a listing.</summary>
    public RestoreException NotAzure(Exception failure) =>
        new(
            RestoreErrorCode.NotAzure,
            "The server is no storage of Azure (its answer is no listing)",
            url.DisplayName,
            failure
        );

    /// <summary>The exception of the port for an answer without success.</summary>
    public Exception FailureOf(HttpResponseMessage answer, string what)
    {
        string? HeaderOf(string name) =>
            answer.Headers.TryGetValues(name, out IEnumerable<string>? values) ? values.FirstOrDefault() : null;
        return FailureOf(answer.StatusCode, HeaderOf("x-ms-error-code"), HeaderOf("Retry-After"), what, null);
    }

    public void Dispose() => Http.Dispose();

    private Exception FailureOf(
        HttpStatusCode status,
        string? code,
        string? retryAfter,
        string what,
        Exception? cause
    ) =>
        code switch
        {
            "ContainerNotFound" => new RestoreException(
                RestoreErrorCode.BucketNotFound,
                $"There is no container named {Container.Name}",
                url.DisplayName,
                cause
            ),
            "AuthenticationFailed" or "InvalidAuthenticationInfo" or "KeyBasedAuthenticationNotPermitted" =>
                new RestoreException(
                    RestoreErrorCode.CredentialsRefused,
                    $"The store refused the access key or the SAS token ({code})",
                    url.DisplayName,
                    cause
                ),
            "BlobArchived" or "BlobBeingRehydrated" => new AccessRefusedException(
                $"{what} is in archive storage; move it to another access tier first ({code})",
                cause
            )
            {
                IsArchived = true,
            },
            _ => Http.FailureOf(
                status,
                what,
                int.TryParse(retryAfter, NumberStyles.None, CultureInfo.InvariantCulture, out int seconds)
                    ? TimeSpan.FromSeconds(seconds)
                    : null
            ),
        };

    private Uri AddressOf(string account)
    {
        string endpoint = url.Options.Text(AzureOptions.Endpoint) ?? $"https://{account}.blob.core.windows.net";
        return
            Uri.TryCreate(
                $"{endpoint.TrimEnd('/')}/{Uri.EscapeDataString(url.Host.ToLowerInvariant())}",
                UriKind.Absolute,
                out Uri? address
            ) && (address.Scheme == Uri.UriSchemeHttps || address.Scheme == Uri.UriSchemeHttp)
            ? address
            : throw url.Options.Unusable(
                AzureOptions.Endpoint,
                "an address such as https://account.blob.core.windows.net"
            );
    }

    private StorageSharedKeyCredential Credential(string account, string key)
    {
        try
        {
            return new StorageSharedKeyCredential(account, key);
        }
        catch (FormatException)
        {
            throw new RestoreException(
                RestoreErrorCode.CredentialsRefused,
                "The access key for Azure is not Base64: it is not a key of a storage account",
                url.DisplayName
            );
        }
    }
}
