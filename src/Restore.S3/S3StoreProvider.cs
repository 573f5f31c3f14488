using System.Text.RegularExpressions;
using Amazon.Runtime;

namespace Restore.S3;

/// <summary>
/// Buckets on Amazon S3 and compatible servers: <c>s3://bucket/prefix</c>. Add it to
/// <see cref="BackupOptions.Stores"/> with <see cref="StoreRegistry.With"/>.
/// </summary>
public sealed partial class S3StoreProvider : IStoreProvider
{
    private const string DefaultServer = "s3.amazonaws.com";
    private const string DefaultRegion = "us-east-1";

    /// <inheritdoc/>
    public string Name => "S3";

    /// <inheritdoc/>
    public string Summary => "a bucket, or a prefix in one, on Amazon S3 or a server that speaks like it";

    /// <inheritdoc/>
    public IReadOnlyList<string> Schemes => ["s3"];

    /// <inheritdoc/>
    public IReadOnlyList<string> Locations => ["s3://bucket/prefix"];

    /// <inheritdoc/>
    public IReadOnlyList<StoreOption> Options => S3Options.All;

    /// <inheritdoc/>
    public IReadOnlyList<string> IgnoredOptions =>
        [
            "s3-use-rrs",
            "s3-european-buckets",
            "s3-client",
            "s3-disable-chunk-encoding",
            "s3-disable-payload-signing",
            "s3-list-api-version",
            "s3-recursive-list",
            "s3-archive-classes",
            "use-sse",
            "s3-ext-*",
        ];

    /// <inheritdoc/>
    public IVolumeStore Open(StoreContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return new S3Store(Connection(context));
    }

    /// <inheritdoc/>
    public IVolumeSink OpenSink(StoreContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return new S3Sink(Connection(context), context.Options.Text(S3Options.StorageClass));
    }

    private static S3Connection Connection(StoreContext context)
    {
        S3Access access = Access(context.Url);
        return new S3Connection(context, (_, _) => Task.FromResult(access), new S3Answers(context));
    }

    private static S3Access Access(StoreUrl url)
    {
        StoreOptionValues options = url.Options;
        string? region = options.Text(S3Options.Region);
        string server = options.Text(S3Options.Server) ?? AmazonServer(region);
        bool isAmazon = server.Contains(".amazonaws.com", StringComparison.OrdinalIgnoreCase);

        // Amazon always uses TLS; for other servers Duplicati's default applies, no TLS unless
        // requested. A bucket in the host name needs DNS for it, which only Amazon and the large
        // services have.
        return new S3Access(
            server,
            region ?? RegionOf(server),
            UseTls: options.Flag(S3Options.UseTls, defaultValue: isAmazon),
            ForcePathStyle: options.Flag(S3Options.ForcePathStyle, defaultValue: !isAmazon),
            Credentials(url)
        )
        {
            Profile = options.Text(S3Options.Profile),
        };
    }

    /// <summary>
    /// The given credentials; null to use the environment, the profile or the machine's role.
    /// </summary>
    private static AWSCredentials? Credentials(StoreUrl url) =>
        url.Options.Flag(S3Options.Anonymous)
            ? new AnonymousAWSCredentials()
            : (
                url.Username ?? url.Options.Text(S3Options.KeyId),
                url.Password ?? url.Options.Text(S3Options.Secret)
            ) switch
            {
                (null, null) => null,
                ({ } id, { } key) => new BasicAWSCredentials(id, key),
                _ => throw new RestoreException(
                    RestoreErrorCode.CredentialsIncomplete,
                    "Only one of access key and secret is given",
                    url.DisplayName
                ),
            };

    private static string AmazonServer(string? region) =>
        region is null ? DefaultServer
        : region.StartsWith("cn-", StringComparison.OrdinalIgnoreCase) ? $"s3.{region}.amazonaws.com.cn"
        : $"s3.{region}.amazonaws.com";

    private static string RegionOf(string server) =>
        AmazonHost().Match(server) is { Success: true } match ? match.Groups["region"].Value : DefaultRegion;

    [GeneratedRegex(@"s3[.-](?:dualstack\.)?(?<region>[a-z]{2,}-[a-z-]+-\d)\.amazonaws\.", RegexOptions.IgnoreCase)]
    private static partial Regex AmazonHost();
}
