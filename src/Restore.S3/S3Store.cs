using System.Net;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;
using Amazon.S3;
using Amazon.S3.Model;

namespace Restore.S3;

/// <summary>The SDK signs and parses; this library handles retries, timeouts and ranges.</summary>
internal sealed class S3Store(S3Connection connection) : IVolumeStore, IResumableListing, IFolderListing
{
    // Candidates for a message, if the backup is in a folder below the one that was given.
    private const int MostFolders = 24;

    private volatile bool rangesIgnored;
    private volatile string[] folders = [];

    public string DisplayName => connection.Context.Url.DisplayName;

    public bool HasRanges => !rangesIgnored;

    public bool IsLocal => false;

    public IReadOnlyCollection<string> ListedFolders => folders;

    public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) =>
        ListAfterAsync(null, cancellationToken);

    public async IAsyncEnumerable<StoredFile> ListAfterAsync(
        string? lastName,
        [EnumeratorCancellation] CancellationToken cancellationToken
    )
    {
        string? after = lastName is null ? null : connection.Prefix + lastName;
        ListingPages pages = new();
        var request = new ListObjectsV2Request
        {
            BucketName = connection.Bucket,
            Prefix = connection.Prefix,

            // Only what is directly below the prefix. Keys below it come as common prefixes, each
            // once.
            Delimiter = "/",
            StartAfter = after,
        };
        do
        {
            ListObjectsV2Response page = await PageAsync(request, cancellationToken).ConfigureAwait(false);

            // A proxy or the page of a login answers with text that the SDK reads as an empty
            // listing. An empty bucket still has its name.
            if (page is { IsTruncated: null, Name: null, S3Objects: null or [] })
            {
                throw connection.NotS3();
            }

            pages.Add(
                page.S3Objects?.FirstOrDefault()?.Key ?? page.CommonPrefixes?.FirstOrDefault(),
                page.NextContinuationToken
            );
            folders =
            [
                .. folders
                    .Concat((page.CommonPrefixes ?? []).Select(NameOf).Where(name => name.Length > 0))
                    .Distinct()
                    .Take(MostFolders),
            ];
            foreach (S3Object file in page.S3Objects ?? [])
            {
                string name = NameOf(file.Key);
                yield return file.Size is >= 0 and { } size
                    ? new StoredFile(name, size) { ArchiveTier = TierOf(file.StorageClass?.Value) }
                    : throw new IOException($"The store's listing does not have the size of {name}");
            }

            request.ContinuationToken = page.NextContinuationToken;
            if (page.IsTruncated == true && string.IsNullOrEmpty(page.NextContinuationToken))
            {
                throw new TransientStoreException("The store's listing is incomplete and has no continuation token");
            }
        } while (!string.IsNullOrEmpty(request.ContinuationToken));
    }

    public async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        if (destination.IsEmpty)
        {
            return 0;
        }

        var request = new GetObjectRequest
        {
            BucketName = connection.Bucket,
            Key = connection.Prefix + name,
            ByteRange = new Amazon.S3.Model.ByteRange(offset, offset + destination.Length - 1),
        };
        using GetObjectResponse? response = await GetAsync(request, name, cancellationToken).ConfigureAwait(false);
        if (response is null)
        {
            return 0;
        }

        bool isPartial = response.HttpStatusCode == HttpStatusCode.PartialContent;

        // A whole file in answer to a range that covers all of it proves nothing: any server may
        // answer so.
        rangesIgnored |= !isPartial && (offset > 0 || response.ContentLength > destination.Length);
        _ = ContentRangeHeaderValue.TryParse(response.ContentRange, out ContentRangeHeaderValue? range);
        var answer = new RangeAnswer(isPartial, range?.From, range?.Length, response.ContentLength);
        return await connection
            .Context.Transfers.ReadBodyAsync(
                response.ResponseStream,
                answer,
                name,
                offset,
                destination,
                cancellationToken
            )
            .ConfigureAwait(false);
    }

    public ValueTask DisposeAsync()
    {
        connection.Dispose();
        return ValueTask.CompletedTask;
    }

    private string NameOf(string key) =>
        key.StartsWith(connection.Prefix, StringComparison.Ordinal) ? key[connection.Prefix.Length..].TrimEnd('/') : "";

    /// <summary>
    /// The storage class if its objects must be restored before they can be read, otherwise null.
    /// Objects of S3 Glacier Instant Retrieval can be read directly.
    /// </summary>
    private static string? TierOf(string? storageClass) =>
        storageClass is "GLACIER" or "DEEP_ARCHIVE" ? storageClass : null;

    private async Task<ListObjectsV2Response> PageAsync(
        ListObjectsV2Request request,
        CancellationToken cancellationToken
    )
    {
        try
        {
            return await connection
                .AskAsync(
                    (client, token) => client.ListObjectsV2Async(request, token),
                    "the listing",
                    cancellationToken
                )
                .ConfigureAwait(false);
        }
        catch (OverflowException failure)
        {
            throw new IOException("The store's listing has a size that no file has", failure);
        }
    }

    /// <summary>The answer to a read; null if the file ends before the range starts.</summary>
    private Task<GetObjectResponse?> GetAsync(
        GetObjectRequest request,
        string name,
        CancellationToken cancellationToken
    ) =>
        connection.AskAsync(
            async (client, token) =>
            {
                try
                {
                    return await client.GetObjectAsync(request, token).ConfigureAwait(false);
                }
                catch (AmazonS3Exception failure)
                    when (failure.StatusCode == HttpStatusCode.RequestedRangeNotSatisfiable)
                {
                    return null;
                }
            },
            name,
            cancellationToken
        );
}
