using System.Net;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;
using Amazon.S3;
using Amazon.S3.Model;

namespace Restore.S3;

/// <summary>
/// A bucket, or a prefix in one, on Amazon S3 or a compatible server. The SDK signs and parses; this library handles retries, timeouts and ranges.
/// </summary>
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
        var answer = new RangeAnswer(isPartial, range, response.ContentLength);
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
