namespace Restore;

/// <summary>
/// Limits the memory for answers that an SDK reads whole, whatever their length: listings, errors. Files, which are requested by their range, are left to
/// the reader. For <see cref="StoreHttp"/>.
/// </summary>
public class StoreAnswerLimit : DelegatingHandler
{
    // A page of a listing has at most 5,000 names of at most 1,024 bytes with some properties.
    private const int MaxAnswerBytes = 16 << 20;

    /// <inheritdoc/>
    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        HttpResponseMessage response = await base.SendAsync(request, cancellationToken).ConfigureAwait(false);
        if (!response.IsSuccessStatusCode || !request.Headers.Contains("Range"))
        {
            await response.Content.LoadIntoBufferAsync(MaxAnswerBytes, cancellationToken).ConfigureAwait(false);
        }

        return response;
    }
}
