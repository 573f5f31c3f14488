using System.Text.RegularExpressions;
using Amazon.Runtime;
using Amazon.S3;

namespace Restore.S3;

/// <summary>Creates the S3 client for a URL and its options.</summary>
internal static partial class S3Connection
{
    private const string DefaultServer = "s3.amazonaws.com";
    private const string DefaultRegion = "us-east-1";

    /// <param name="url">The server and the bucket.</param>
    /// <param name="http">Sends the requests; the caller disposes it.</param>
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
