namespace Restore.S3;

/// <summary>Keeps an S3 server from filling the memory: the SDK reads listings and errors whole, however long they are.</summary>
internal sealed class S3AnswerLimit : DelegatingHandler
{
    // A page lists 1,000 keys of at most 1,024 bytes with some properties: 2 MB at the very most.
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
