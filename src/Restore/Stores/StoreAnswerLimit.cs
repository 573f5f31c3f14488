namespace Restore.Stores;

/// <summary>
/// Limits the memory for answers that an SDK reads whole, regardless of their length, such as
/// listings and errors. Files are requested by range and left to the reader. Refuses redirects. For
/// <see cref="StoreHttp"/>.
/// </summary>
/// <param name="context">The store.</param>
public class StoreAnswerLimit(StoreContext context) : DelegatingHandler
{
    // A page of a listing has at most 5,000 names of at most 1,024 bytes with some properties.
    private const int MaxAnswerBytes = 16 << 20;

    /// <inheritdoc/>
    protected override async Task<HttpResponseMessage> SendAsync(
        HttpRequestMessage request,
        CancellationToken cancellationToken
    )
    {
        ArgumentNullException.ThrowIfNull(request);
        HttpResponseMessage response = await base.SendAsync(request, cancellationToken).ConfigureAwait(false);
        if (
            (int)response.StatusCode is 301 or 302 or 307 or 308
            && response.Headers.Location is { } location
            && new Uri(request.RequestUri!, location) is var next
            && !MayFollow(request.RequestUri!, next)
        )
        {
            response.Dispose();
            throw new RestoreException(
                RestoreErrorCode.RedirectRefused,
                $"The store redirects to another address ({next.Scheme}://{next.Authority})",
                context.Url.DisplayName
            );
        }

        if (!response.IsSuccessStatusCode || !request.Headers.Contains("Range"))
        {
            await response.Content.LoadIntoBufferAsync(MaxAnswerBytes, cancellationToken).ConfigureAwait(false);
        }

        return response;
    }

    /// <summary>Whether the SDK may follow a redirect.</summary>
    /// <param name="from">The address of the request.</param>
    /// <param name="to">Where it is redirected to.</param>
    protected virtual bool MayFollow(Uri from, Uri to) => false;
}
