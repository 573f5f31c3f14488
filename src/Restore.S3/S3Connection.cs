using Amazon.Runtime;
using Amazon.S3;

namespace Restore.S3;

/// <summary>The bucket and the prefix of a URL, and the client for it.</summary>
/// <param name="context">The store to open.</param>
/// <param name="find">Finds out how to reach the service, at the first request; may ask the
/// service.</param>
/// <param name="answers">Sees each request and each answer.</param>
internal sealed class S3Connection(
    StoreContext context,
    Func<StoreHttp, CancellationToken, Task<S3Access>> find,
    S3Answers answers
) : IDisposable
{
    private readonly StoreHttp http = new(context, answers);
    private readonly SemaphoreSlim opening = new(1, 1);
    private AmazonS3Client? opened;

    public StoreContext Context { get; } = context;

    public string Bucket { get; } = context.Url.Host;

    public string Prefix { get; } = context.Url.Path.Length > 0 ? context.Url.Path + "/" : "";

    /// <summary>Sends a request within the timeout, and throws what the port defines.</summary>
    public Task<T> AskAsync<T>(
        Func<AmazonS3Client, CancellationToken, Task<T>> request,
        string what,
        CancellationToken cancellationToken
    ) =>
        MappedAsync(
            () =>
                Context.Transfers.WithTimeoutAsync(
                    async token =>
                        await request(await ClientAsync(token).ConfigureAwait(false), token).ConfigureAwait(false),
                    what,
                    cancellationToken
                ),
            what
        );

    /// <summary>Sends bytes, and throws what the port defines.</summary>
    public Task<T> SendAsync<T>(
        string name,
        ReadOnlyMemory<byte> content,
        Func<AmazonS3Client, Stream, CancellationToken, Task<T>> send,
        CancellationToken cancellationToken
    ) =>
        MappedAsync(
            () =>
                Context.Transfers.SendBodyAsync(
                    content,
                    name,
                    async (body, token) =>
                        await send(await ClientAsync(token).ConfigureAwait(false), body, token).ConfigureAwait(false),
                    cancellationToken
                ),
            name
        );

    /// <summary>The exception to throw for an answer that no S3 server gives.</summary>
    public RestoreException NotS3() => new S3Failures(Context, http).NotS3();

    public void Dispose()
    {
        opened?.Dispose();
        opening.Dispose();
        http.Dispose();
    }

    private async Task<T> MappedAsync<T>(Func<Task<T>> exchange, string what)
    {
        try
        {
            return await exchange().ConfigureAwait(false);
        }
        catch (Exception failure) when (S3Failures.Handles(failure))
        {
            throw new S3Failures(Context, http).Of(failure, what);
        }
    }

    private async ValueTask<AmazonS3Client> ClientAsync(CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref opened) is { } client)
        {
            return client;
        }

        await opening.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return opened ??= Client(await find(http, cancellationToken).ConfigureAwait(false));
        }
        finally
        {
            opening.Release();
        }
    }

    private AmazonS3Client Client(S3Access access)
    {
        var config = new AmazonS3Config
        {
            ServiceURL = $"{(access.UseTls ? "https" : "http")}://{access.Server}",
            AuthenticationRegion = access.Region,
            ForcePathStyle = access.ForcePathStyle,
            HttpClientFactory = new OneClient(http.Client),

            // The library has its own retries and timeouts. Retries of the SDK would multiply them,
            // and be in no count.
            MaxErrorRetry = 0,
            Timeout = Timeout.InfiniteTimeSpan,

            // The checksums that the SDK adds by default are not known to all servers that speak
            // S3.
            RequestChecksumCalculation = RequestChecksumCalculation.WHEN_REQUIRED,
            ResponseChecksumValidation = ResponseChecksumValidation.WHEN_REQUIRED,
        };
        if (access.Profile is { } profile)
        {
            config.Profile = new Amazon.Profile(profile);
        }

        return access.Credentials is { } credentials
            ? new AmazonS3Client(credentials, config)
            : new AmazonS3Client(config);
    }

    /// <summary>
    /// Makes the SDK use this client; its own would follow redirects and ignore the certificate
    /// options.
    /// </summary>
    private sealed class OneClient(HttpClient http) : HttpClientFactory
    {
        public override HttpClient CreateHttpClient(IClientConfig clientConfig) => http;

        public override bool UseSDKHttpClientCaching(IClientConfig clientConfig) => false;

        public override bool DisposeHttpClientsAfterUse(IClientConfig clientConfig) => false;
    }
}
