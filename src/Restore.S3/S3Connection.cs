using System.Globalization;
using System.Net;
using System.Text.RegularExpressions;
using Amazon.Runtime;
using Amazon.Runtime.Internal;
using Amazon.S3;

namespace Restore.S3;

internal static partial class S3Connection
{
    private const string DefaultServer = "s3.amazonaws.com";
    private const string DefaultRegion = "us-east-1";

    public static AmazonS3Client Open(StoreUrl url, HttpClient http)
    {
        StoreOptionValues options = url.Options;
        string? location = options.Text(S3Options.Region);
        string server = options.Text(S3Options.Server) ?? AmazonServer(location);
        bool isAmazon = server.Contains(".amazonaws.com", StringComparison.OrdinalIgnoreCase);

        // Amazon always uses TLS. For other servers Duplicati's default applies: no TLS unless requested.
        bool useTls = options.Flag(S3Options.UseTls, defaultValue: isAmazon);
        var config = new AmazonS3Config
        {
            ServiceURL = $"{(useTls ? "https" : "http")}://{server}",
            AuthenticationRegion = location ?? RegionOf(server),

            // A bucket in the host name needs DNS for it, which only Amazon and the large services have.
            ForcePathStyle = options.Flag(S3Options.ForcePathStyle, defaultValue: !isAmazon),
            HttpClientFactory = new OneClient(http),
            MaxErrorRetry = 0,
            Timeout = Timeout.InfiniteTimeSpan,
            RequestChecksumCalculation = RequestChecksumCalculation.WHEN_REQUIRED,
            ResponseChecksumValidation = ResponseChecksumValidation.WHEN_REQUIRED,
        };
        if (options.Text(S3Options.Profile) is { } profile)
        {
            config.Profile = new Amazon.Profile(profile);
        }

        return Credentials(url) is { } credentials ? new AmazonS3Client(credentials, config) : new AmazonS3Client(config);
    }

    /// <summary>The given credentials; null to use the environment, the profile or the machine's role.</summary>
    private static AWSCredentials? Credentials(StoreUrl url)
    {
        StoreOptionValues options = url.Options;
        if (options.Flag(S3Options.Anonymous))
        {
            return new AnonymousAWSCredentials();
        }

        string? keyId = url.Username ?? options.Text(S3Options.KeyId);
        string? secret = url.Password ?? options.Text(S3Options.Secret);
        return (keyId, secret) switch
        {
            (null, null) => null,
            ({ } id, { } key) => new BasicAWSCredentials(id, key),
            _ => throw new RestoreException(
                RestoreErrorCode.CredentialsIncomplete, "Only one of access key and secret is given", url.DisplayName),
        };
    }

    private static string AmazonServer(string? region) => region is null ? DefaultServer
        : region.StartsWith("cn-", StringComparison.OrdinalIgnoreCase) ? $"s3.{region}.amazonaws.com.cn" : $"s3.{region}.amazonaws.com";

    private static string RegionOf(string server) => AmazonHost().Match(server) is { Success: true } match ? match.Groups["region"].Value : DefaultRegion;

    [GeneratedRegex(@"s3[.-](?:dualstack\.)?(?<region>[a-z]{2,}-[a-z-]+-\d)\.amazonaws\.", RegexOptions.IgnoreCase)]
    private static partial Regex AmazonHost();

    /// <summary>Makes the SDK use this client; its own would follow redirects and ignore the certificate options.</summary>
    private sealed class OneClient(HttpClient http) : HttpClientFactory
    {
        public override HttpClient CreateHttpClient(IClientConfig clientConfig) => http;

        public override bool UseSDKHttpClientCaching(IClientConfig clientConfig) => false;

        public override bool DisposeHttpClientsAfterUse(IClientConfig clientConfig) => false;
    }
}

internal sealed class S3Failures(StoreContext context, StoreHttp http)
{
    private readonly StoreUrl url = context.Url;

    public static bool Handles(Exception failure) =>
        failure is AmazonServiceException or AmazonClientException or HttpRequestException or IOException and not TransientStoreException;

    public Exception Of(Exception failure, string what)
    {
        if (Exchange(failure) is { } exchange)
        {
            return http.FailureOf(exchange, what);
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
            "InvalidAccessKeyId" or "SignatureDoesNotMatch" or "ExpiredToken" or "InvalidToken" => new RestoreException(
                RestoreErrorCode.CredentialsRefused, $"The store refused the access key ({said})", url.DisplayName, failure),
            "PermanentRedirect" or "AuthorizationHeaderMalformed" or "IllegalLocationConstraintException" => new RestoreException(
                RestoreErrorCode.BucketRegionWrong, $"The bucket is in another region ({said})", url.DisplayName, failure),
            "InvalidObjectState" => new AccessRefusedException(
                $"{what} is in archive storage; ask the store to restore it to normal storage first ({said})", failure),

            // The SDK has just learned the server's clock from this answer, and signs the next request accordingly.
            "RequestTimeTooSkewed" or "RequestTimeout" or "SlowDown" =>
                new TransientStoreException($"The store answered {said} ({what})", failure) { RetryAfter = RetryAfter(service) },
            _ => http.FailureOf(service.StatusCode, what, RetryAfter(service)),
        };
    }

    private RestoreException NoCredentials(Exception failure) => new(
        RestoreErrorCode.CredentialsMissing, $"There are no usable credentials for S3 ({context.Scrub(failure.Message)})", url.DisplayName, failure);

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

/// <summary>Limits the memory for answers of an S3 server: the SDK reads whole listings and errors, whatever their length.</summary>
internal sealed class S3AnswerLimit : DelegatingHandler
{
    // A page lists 1,000 keys of at most 1,024 bytes with some properties: at most 2 MB.
    private const int MaxPageBytes = 16 << 20;

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        HttpResponseMessage response = await base.SendAsync(request, cancellationToken).ConfigureAwait(false);
        bool isFile = response.IsSuccessStatusCode && request.RequestUri?.Query.Contains("list-type=", StringComparison.Ordinal) != true;
        if (!isFile)
        {
            await response.Content.LoadIntoBufferAsync(MaxPageBytes, cancellationToken).ConfigureAwait(false);
        }

        return response;
    }
}
