using System.Net;
using System.Net.Http.Headers;
using System.Runtime.CompilerServices;
using System.Xml;
using Azure;
using Azure.Storage.Blobs.Models;

namespace Restore.Azure;

/// <summary>
/// The SDK signs and parses; this library handles retries, timeouts and ranges. Files are read
/// without the SDK, because its streams silently reopen a broken transfer.
/// </summary>
internal sealed class AzureStore(AzureConnection connection, bool absentIsEmpty = false) : IVolumeStore, IFolderListing
{
    // Candidates for a message, if the backup is in a folder below the one that was given.
    private const int MostFolders = 24;

    private volatile bool rangesIgnored;
    private volatile string[] folders = [];

    public string DisplayName => connection.Context.Url.DisplayName;

    public bool HasRanges => !rangesIgnored;

    public bool IsLocal => false;

    public IReadOnlyCollection<string> ListedFolders => folders;

    public async IAsyncEnumerable<StoredFile> ListAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        ListingPages pages = new();
        string? next = null;
        do
        {
            Page<BlobHierarchyItem> page;
            try
            {
                page = await PageAsync(next, cancellationToken).ConfigureAwait(false);
            }
            catch (RestoreException failure) when (absentIsEmpty && failure.Code == RestoreErrorCode.BucketNotFound)
            {
                // A first backup: the container is created when the first file is put.
                yield break;
            }

            next = page.ContinuationToken;
            BlobHierarchyItem? first = page.Values.Count > 0 ? page.Values[0] : null;
            pages.Add(first?.Prefix ?? first?.Blob.Name, next);
            folders =
            [
                .. folders
                    .Concat(page.Values.Where(item => item.IsPrefix).Select(item => item.Prefix.TrimEnd('/')))
                    .Distinct()
                    .Take(MostFolders),
            ];
            foreach (BlobHierarchyItem item in page.Values.Where(item => item.IsBlob))
            {
                string? tier = item.Blob.Properties.AccessTier == AccessTier.Archive ? "Archive" : null;
                yield return item.Blob.Properties.ContentLength is >= 0 and { } size
                    ? new StoredFile(item.Blob.Name, size) { ArchiveTier = tier }
                    : throw new IOException($"The store's listing does not have the size of {item.Blob.Name}");
            }
        } while (!string.IsNullOrEmpty(next));
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

        using var request = new HttpRequestMessage(HttpMethod.Get, connection.ReadAddressOf(name));
        request.Headers.Range = new RangeHeaderValue(offset, offset + destination.Length - 1);
        using HttpResponseMessage response = await connection
            .AskAsync(
                token => connection.Http.Client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, token),
                name,
                cancellationToken
            )
            .ConfigureAwait(false);
        if (response.StatusCode == HttpStatusCode.RequestedRangeNotSatisfiable)
        {
            return 0;
        }

        if (!response.IsSuccessStatusCode)
        {
            throw connection.FailureOf(response, name);
        }

        HttpContentHeaders headers = response.Content.Headers;
        bool isPartial = response.StatusCode == HttpStatusCode.PartialContent;

        // A whole file in answer to a range that covers all of it proves nothing: any server may
        // answer so.
        rangesIgnored |= !isPartial && (offset > 0 || headers.ContentLength > destination.Length);
        var answer = new RangeAnswer(
            isPartial,
            headers.ContentRange?.From,
            headers.ContentRange?.Length,
            headers.ContentLength
        );
        Stream body = await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
        return await connection
            .Context.Transfers.ReadBodyAsync(body, answer, name, offset, destination, cancellationToken)
            .ConfigureAwait(false);
    }

    public ValueTask DisposeAsync()
    {
        connection.Dispose();
        return ValueTask.CompletedTask;
    }

    private async Task<Page<BlobHierarchyItem>> PageAsync(string? from, CancellationToken cancellationToken)
    {
        try
        {
            return await connection
                .AskAsync(
                    async token =>
                        await connection
                            .Container.GetBlobsByHierarchyAsync(
                                new GetBlobsByHierarchyOptions { Delimiter = "/" },
                                token
                            )
                            .AsPages(from)
                            .FirstAsync(token)
                            .ConfigureAwait(false),
                    "the listing",
                    cancellationToken
                )
                .ConfigureAwait(false);
        }
        catch (OverflowException failure)
        {
            throw new IOException("The store's listing has a size that no file has", failure);
        }
        catch (Exception failure)
            when (failure is XmlException or FormatException or NullReferenceException or ArgumentException)
        {
            // What the SDK throws for another answer than a listing: of a proxy, or of the login
            // page of a network.
            throw connection.NotAzure(failure);
        }
    }
}
