using System.Net;
using Restore.Storage.Http;

namespace Restore.Stores;

/// <summary>
/// Common parts of stores over HTTP: a client that trusts certificates as the options say, and the
/// exceptions for failures. Safe for concurrent use.
/// </summary>
public sealed class StoreHttp : IDisposable
{
    private readonly CertificateCheck certificates;
    private readonly string where;

    /// <summary>Creates the client of a store.</summary>
    /// <param name="context">The store; its provider declares <see cref="Options"/> among its
    /// options.</param>
    /// <param name="outer">Sees each request before it is sent, and each answer; null for
    /// none.</param>
    public StoreHttp(StoreContext context, DelegatingHandler? outer = null)
        : this(new SocketsHttpHandler(), context?.Url ?? throw new ArgumentNullException(nameof(context)), outer) { }

    internal StoreHttp(SocketsHttpHandler handler, StoreUrl url, DelegatingHandler? outer = null)
        : this(handler, new CertificateCheck(url.Options), url.DisplayName, outer) { }

    internal StoreHttp(
        SocketsHttpHandler handler,
        CertificateCheck certificates,
        string where,
        DelegatingHandler? outer = null
    )
    {
        (this.certificates, this.where) = (certificates, where);
        handler.ConnectTimeout = StoreTransfers.ConnectTimeout;

        // Compression would change the meaning of ranges, and an automatic redirect could lead to
        // another host.
        handler.AutomaticDecompression = DecompressionMethods.None;
        handler.AllowAutoRedirect = false;
        handler.UseCookies = false;
        handler.SslOptions.RemoteCertificateValidationCallback = certificates.Accepts;
        HttpMessageHandler first = handler;
        if (outer is not null)
        {
            outer.InnerHandler = handler;
            first = outer;
        }

        Client = new HttpClient(first) { Timeout = Timeout.InfiniteTimeSpan };
    }

    /// <summary>The options of the client: which certificates to trust.</summary>
    public static IReadOnlyList<StoreOption> Options => CertificateCheck.Options;

    /// <summary>
    /// The client. It has no timeout of its own (see <see cref="StoreTransfers"/>), follows no
    /// redirect and does not decompress.
    /// </summary>
    public HttpClient Client { get; }

    /// <summary>The exception to throw for an exchange without an answer.</summary>
    /// <param name="failure">The client's exception.</param>
    /// <param name="what">The file, or what was requested.</param>
    public Exception FailureOf(Exception failure, string what) =>
        HttpFailures.OfExchange(failure, what, where, certificates);

    /// <summary>The exception to throw for an answer without success.</summary>
    /// <param name="status">The status of the answer.</param>
    /// <param name="what">The file, or what was requested.</param>
    /// <param name="retryAfter">How long the server asks to wait; null if it does not say.</param>
    public Exception FailureOf(HttpStatusCode status, string what, TimeSpan? retryAfter = null) =>
        HttpFailures.OfStatus(status, retryAfter, what, where);

    /// <summary>Closes the connections.</summary>
    public void Dispose() => Client.Dispose();
}
