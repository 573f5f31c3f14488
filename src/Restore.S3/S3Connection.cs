using System.Globalization;
using System.Net;
using System.Xml;
using Amazon.Runtime;
using Amazon.Runtime.Internal;
using Amazon.S3;

namespace Restore.S3;

/// <summary>What the services that speak S3 differ in: where the server is, and who may enter.</summary>
internal sealed record S3Access(string Server, string Region, bool UseTls, bool ForcePathStyle, AWSCredentials? Credentials)
{
    /// <summary>A profile of the AWS configuration files; null for the default.</summary>
    public string? Profile { get; init; }
}

/// <summary>The bucket and the prefix of a URL, and the client for it.</summary>
/// <param name="context">The store to open.</param>
/// <param name="find">Finds out how to reach the service, at the first request; may ask the service.</param>
/// <param name="answers">Sees each request and each answer.</param>
internal sealed class S3Connection(StoreContext context, Func<StoreHttp, CancellationToken, Task<S3Access>> find, S3Answers answers) : IDisposable
{
    private readonly StoreHttp http = new(context, answers);
    private readonly SemaphoreSlim opening = new(1, 1);
    private AmazonS3Client? opened;

    public StoreContext Context { get; } = context;

    public string Bucket { get; } = context.Url.Host;

    public string Prefix { get; } = context.Url.Path.Length > 0 ? context.Url.Path + "/" : "";

    /// <summary>Sends a request within the timeout, and throws what the port defines.</summary>
    public Task<T> AskAsync<T>(Func<AmazonS3Client, CancellationToken, Task<T>> request, string what, CancellationToken cancellationToken) =>
        MappedAsync(
            () => Context.Transfers.WithTimeoutAsync(
                async token => await request(await ClientAsync(token).ConfigureAwait(false), token).ConfigureAwait(false), what, cancellationToken),
            what);

    /// <summary>Sends bytes, and throws what the port defines.</summary>
    public Task<T> SendAsync<T>(
        string name, ReadOnlyMemory<byte> content, Func<AmazonS3Client, Stream, CancellationToken, Task<T>> send, CancellationToken cancellationToken) =>
        MappedAsync(
            () => Context.Transfers.SendBodyAsync(
                content,
                name,
                async (body, token) => await send(await ClientAsync(token).ConfigureAwait(false), body, token).ConfigureAwait(false),
                cancellationToken),
            name);

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
            MaxErrorRetry = 0,
            Timeout = Timeout.InfiniteTimeSpan,
            RequestChecksumCalculation = RequestChecksumCalculation.WHEN_REQUIRED,
            ResponseChecksumValidation = ResponseChecksumValidation.WHEN_REQUIRED,
        };
        if (access.Profile is { } profile)
        {
            config.Profile = new Amazon.Profile(profile);
        }

        return access.Credentials is { } credentials ? new AmazonS3Client(credentials, config) : new AmazonS3Client(config);
    }

    /// <summary>Makes the SDK use this client; its own would follow redirects and ignore the certificate options.</summary>
    private sealed class OneClient(HttpClient http) : HttpClientFactory
    {
        public override HttpClient CreateHttpClient(IClientConfig clientConfig) => http;

        public override bool UseSDKHttpClientCaching(IClientConfig clientConfig) => false;

        public override bool DisposeHttpClientsAfterUse(IClientConfig clientConfig) => false;
    }
}

/// <summary>Refuses redirects but those of Amazon to the region of a bucket, which the SDK signs again and follows.</summary>
internal class S3Answers(StoreContext context) : StoreAnswerLimit(context)
{
    protected override bool MayFollow(Uri from, Uri to) => IsAmazon(to.Host) && IsAmazon(from.Host);

    private static bool IsAmazon(string host) =>
        host.EndsWith(".amazonaws.com", StringComparison.OrdinalIgnoreCase) || host.EndsWith(".amazonaws.com.cn", StringComparison.OrdinalIgnoreCase);
}

internal sealed class S3Failures(StoreContext context, StoreHttp http)
{
    private readonly StoreUrl url = context.Url;

    public static bool Handles(Exception failure) =>
        failure is AmazonServiceException or AmazonClientException or HttpRequestException or XmlException or IOException and not TransientStoreException;

    public Exception Of(Exception failure, string what)
    {
        if (Exchange(failure) is { } exchange)
        {
            return http.FailureOf(exchange, what);
        }

        if (failure is XmlException)
        {
            return NotS3(failure);
        }

        if (failure is not AmazonServiceException service)
        {
            return NoCredentials(failure);
        }

        string said = $"{service.ErrorCode}: {context.Scrub(service.Message)}";
        return service.ErrorCode switch
        {
            "NoSuchBucket" => new RestoreException(
                RestoreErrorCode.BucketNotFound, $"There is no bucket named {url.Host}", url.DisplayName, failure),
            "InvalidAccessKeyId" or "SignatureDoesNotMatch" or "ExpiredToken" or "InvalidToken" or "InvalidSecurity" => new RestoreException(
                RestoreErrorCode.CredentialsRefused, $"The store refused the access key ({said})", url.DisplayName, failure),
            "PermanentRedirect" or "AuthorizationHeaderMalformed" or "IllegalLocationConstraintException" => new RestoreException(
                RestoreErrorCode.BucketRegionWrong, $"The bucket is in another region ({said})", url.DisplayName, failure),
            "InvalidObjectState" => new AccessRefusedException(
                $"{what} is in archive storage; ask the store to restore it to normal storage first ({said})", failure) { IsArchived = true },

            // The SDK has just learned the server's clock from this answer, and signs the next request accordingly.
            "RequestTimeTooSkewed" or "RequestTimeout" or "SlowDown" =>
                new TransientStoreException($"The store answered {said} ({what})", failure) { RetryAfter = RetryAfter(service) },
            _ => http.FailureOf(service.StatusCode, what, RetryAfter(service)),
        };
    }

    public RestoreException NotS3(Exception? failure = null) => new(
        RestoreErrorCode.NotS3, "The server does not speak S3 here (its answer is no listing)", url.DisplayName, failure);

    private RestoreException NoCredentials(Exception failure) => new(
        RestoreErrorCode.CredentialsMissing, "There are no usable credentials for S3", url.DisplayName, failure);

    /// <summary>The failure of the connection, perhaps wrapped by the SDK; null if the server answered, or got no request.</summary>
    private static Exception? Exchange(Exception failure)
    {
        for (Exception? cause = failure; cause is not (null or HttpErrorResponseException); cause = cause.InnerException)
        {
            if (cause is HttpRequestException or IOException)
            {
                return cause;
            }
        }

        return null;
    }

    private static TimeSpan? RetryAfter(AmazonServiceException service)
    {
        string? header = (service.InnerException as HttpErrorResponseException)?.Response?.GetHeaderValue("Retry-After");
        return int.TryParse(header, NumberStyles.None, CultureInfo.InvariantCulture, out int seconds) ? TimeSpan.FromSeconds(seconds) : null;
    }
}
