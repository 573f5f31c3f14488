using System.Net;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;
using Amazon.S3;
using Amazon.S3.Model;

namespace Restore.S3;

/// <summary>The SDK signs and parses; this library handles retries, timeouts and ranges.</summary>
internal sealed class S3Store : IVolumeStore, IResumableListing
{
    private readonly StoreContext context;
    private readonly string prefix;
    private readonly StoreHttp http;
    private readonly AmazonS3Client client;
    private readonly S3Failures failures;
    private volatile bool rangesIgnored;

    public S3Store(StoreContext context)
    {
        this.context = context;
        prefix = context.Url.Path.Length > 0 ? context.Url.Path + "/" : "";
        http = new StoreHttp(context, new S3AnswerLimit());
        client = S3Connection.Open(context.Url, http.Client);
        failures = new S3Failures(context, http);
    }

    public string DisplayName => context.Url.DisplayName;

    public bool HasRanges => !rangesIgnored;

    public bool IsLocal => false;

    public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) => ListAfterAsync(null, cancellationToken);

    public async IAsyncEnumerable<StoredFile> ListAfterAsync(string? lastName, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        string? after = lastName is null ? null : prefix + lastName;
        var request = new ListObjectsV2Request { BucketName = context.Url.Host, Prefix = prefix, Delimiter = "/", StartAfter = after };
        do
        {
            ListObjectsV2Response page = await PageAsync(request, cancellationToken).ConfigureAwait(false);
            foreach (S3Object file in page.S3Objects ?? [])
            {
                string name = file.Key.StartsWith(prefix, StringComparison.Ordinal) ? file.Key[prefix.Length..] : "";
                yield return new StoredFile(name, file.Size ?? 0);
            }

            request.ContinuationToken = page.NextContinuationToken;
            if (page.IsTruncated == true && string.IsNullOrEmpty(page.NextContinuationToken))
            {
                throw new TransientStoreException("The store's listing is incomplete and has no continuation token");
            }
        }
        while (!string.IsNullOrEmpty(request.ContinuationToken));
    }

    public async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        if (destination.IsEmpty)
        {
            return 0;
        }

        var request = new GetObjectRequest
        {
            BucketName = context.Url.Host,
            Key = prefix + name,
            ByteRange = new Amazon.S3.Model.ByteRange(offset, offset + destination.Length - 1),
        };
        using GetObjectResponse? response = await GetAsync(request, name, cancellationToken).ConfigureAwait(false);
        if (response is null)
        {
            return 0;
        }

        bool isPartial = response.HttpStatusCode == HttpStatusCode.PartialContent;
        rangesIgnored |= !isPartial && (offset > 0 || response.ContentLength > destination.Length);
        _ = ContentRangeHeaderValue.TryParse(response.ContentRange, out ContentRangeHeaderValue? range);
        var answer = new RangeAnswer(isPartial, range?.From, range?.Length, response.ContentLength);
        return await context.Transfers.ReadBodyAsync(response.ResponseStream, answer, name, offset, destination, cancellationToken).ConfigureAwait(false);
    }

    public ValueTask DisposeAsync()
    {
        client.Dispose();
        http.Dispose();
        return ValueTask.CompletedTask;
    }

    private async Task<ListObjectsV2Response> PageAsync(ListObjectsV2Request request, CancellationToken cancellationToken)
    {
        try
        {
            return await context.Transfers.WithTimeoutAsync(token => client.ListObjectsV2Async(request, token), "listing", cancellationToken)
                .ConfigureAwait(false);
        }
        catch (Exception failure) when (S3Failures.Handles(failure))
        {
            throw failures.Of(failure, "the listing");
        }
    }

    /// <summary>The answer to a read; null if the file ends before the range starts.</summary>
    private async Task<GetObjectResponse?> GetAsync(GetObjectRequest request, string name, CancellationToken cancellationToken)
    {
        try
        {
            return await context.Transfers.WithTimeoutAsync(token => client.GetObjectAsync(request, token), name, cancellationToken).ConfigureAwait(false);
        }
        catch (AmazonS3Exception failure) when (failure.StatusCode == HttpStatusCode.RequestedRangeNotSatisfiable)
        {
            return null;
        }
        catch (Exception failure) when (S3Failures.Handles(failure))
        {
            throw failures.Of(failure, name);
        }
    }
}

/// <summary>
/// Buckets on Amazon S3 and compatible servers: <c>s3://bucket/prefix</c>. Add it to <see cref="BackupOptions.Stores"/> with
/// <see cref="StoreRegistry.With"/>.
/// </summary>
public sealed class S3StoreProvider : IStoreProvider
{
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
        "s3-use-rrs", "s3-european-buckets", "s3-client", "s3-disable-chunk-encoding", "s3-disable-payload-signing",
        "s3-list-api-version", "s3-recursive-list", "s3-archive-classes", "use-sse", "s3-ext-*",
    ];

    /// <inheritdoc/>
    public IVolumeStore Open(StoreContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return new S3Store(context);
    }

    /// <inheritdoc/>
    public IVolumeSink OpenSink(StoreContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return new S3Sink(context);
    }
}

internal static class S3Options
{
    public static readonly StoreOption Server = new("s3-server-name", "server, with its port if need be") { Default = "Amazon's, by region" };

    public static readonly StoreOption Region =
        new("s3-location-name", "region") { Default = "from the server's name, else `us-east-1`", Aliases = ["s3-location-constraint"] };

    public static readonly StoreOption UseTls =
        new("use-ssl", "TLS") { Kind = StoreOptionKind.Switch, Default = "on for Amazon, off for others, as in Duplicati" };

    public static readonly StoreOption ForcePathStyle =
        new("s3-ext-forcepathstyle", "the bucket in the path (`host/bucket`) instead of the host name (`bucket.host`)")
        {
            Kind = StoreOptionKind.Switch,
            Default = "off for Amazon, on for others",
        };

    public static readonly StoreOption KeyId = new("aws-access-key-id", "another name for the user") { Aliases = ["aws_access_key_id"] };

    public static readonly StoreOption Secret =
        new("aws-secret-access-key", "another name for the password") { Aliases = ["aws_secret_access_key"], IsSecret = true };

    public static readonly StoreOption Profile = new("s3-profile", "a profile of the AWS configuration files");

    public static readonly StoreOption Anonymous =
        new("s3-anonymous", "for public buckets: sends no credentials") { Kind = StoreOptionKind.Switch, Default = "off" };

    public static readonly StoreOption StorageClass = new("s3-storage-class", "storage class of what is written, such as `STANDARD_IA`");

    public static readonly IReadOnlyList<StoreOption> All =
        [Server, Region, UseTls, ForcePathStyle, KeyId, Secret, Profile, Anonymous, StorageClass, .. StoreHttp.Options];
}
