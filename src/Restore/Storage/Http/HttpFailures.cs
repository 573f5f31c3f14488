using System.Net;
using System.Net.Sockets;

namespace Restore.Storage.Http;

internal static class HttpFailures
{
    public static Exception OfStatus(HttpStatusCode status, TimeSpan? retryAfter, string what, string where)
    {
        string said = $"{(int)status} {status}";

        // Only answers that another try can change are transient. Nothing is gained by repeating a
        // request that the store refuses or does not understand.
        return status switch
        {
            HttpStatusCode.NotFound or HttpStatusCode.Gone => new FileNotFoundException($"{what} is not in {where}"),
            HttpStatusCode.Unauthorized or HttpStatusCode.ProxyAuthenticationRequired => new RestoreException(
                RestoreErrorCode.CredentialsRefused,
                $"The store refused the user name or password ({said})",
                where
            ),
            HttpStatusCode.Forbidden => new AccessRefusedException($"The store refused access to {what} ({said})"),
            HttpStatusCode.InsufficientStorage => new IOException($"The store is full ({said})"),
            HttpStatusCode.RequestTimeout
            or HttpStatusCode.TooManyRequests
            or HttpStatusCode.Locked
            or >= HttpStatusCode.InternalServerError => new TransientStoreException(
                $"The store answered {said} ({what})"
            )
            {
                RetryAfter = retryAfter,
            },
            _ => new IOException($"The store answered {said} ({what})"),
        };
    }

    /// <summary>
    /// How long an answer asks to wait; a date is compared with the caller's clock.
    /// </summary>
    public static TimeSpan? RetryAfter(HttpResponseMessage response, TimeProvider timeProvider) =>
        response.Headers.RetryAfter switch
        {
            { Delta: { } delta } => delta,
            { Date: { } date } => date - timeProvider.GetUtcNow(),
            _ => null,
        };

    public static Exception OfExchange(Exception failure, string what, string where, CertificateCheck certificates)
    {
        if (
            failure is HttpRequestException { HttpRequestError: HttpRequestError.SecureConnectionError }
            && certificates.Refusal(where, failure) is { } refused
        )
        {
            return refused;
        }

        bool unreachable =
            failure is HttpRequestException
            {
                HttpRequestError: HttpRequestError.NameResolutionError or HttpRequestError.ConnectionError
            };
        string happened = unreachable ? "The store cannot be reached" : "The connection broke off";
        return new TransientStoreException($"{happened} ({what}): {failure.Reason()}", failure)
        {
            StoreUnreachable = unreachable,
            NothingListens =
                failure.InnerException
                    is SocketException { SocketErrorCode: SocketError.ConnectionRefused or SocketError.HostNotFound },
        };
    }
}
