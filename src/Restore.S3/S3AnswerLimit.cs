namespace Restore.S3;

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
