using System.Globalization;
using System.Xml;
using Amazon.Runtime;
using Amazon.Runtime.Internal;

namespace Restore.S3;

internal sealed class S3Failures(StoreContext context, StoreHttp http)
{
    private readonly StoreUrl url = context.Url;

    public static bool Handles(Exception failure) =>
        failure
            is AmazonServiceException
                or AmazonClientException
                or HttpRequestException
                or XmlException
                or IOException
                and not TransientStoreException;

    public Exception Of(Exception failure, string what)
    {
        // The order matters: the SDK wraps a broken connection in an exception of its own, which
        // would look like an answer of the service.
        if (Exchange(failure) is { } exchange)
        {
            return http.FailureOf(exchange, what);
        }

        if (failure is XmlException)
        {
            return NotS3(failure);
        }

        if (failure is not AmazonServiceException service)
        {
            return NoCredentials(failure);
        }

        string said = $"{service.ErrorCode}: {context.Scrub(service.Message)}";
        return service.ErrorCode switch
        {
            "NoSuchBucket" => new RestoreException(
                RestoreErrorCode.BucketNotFound,
                $"There is no bucket named {url.Host}",
                url.DisplayName,
                failure
            ),
            "InvalidAccessKeyId" or "SignatureDoesNotMatch" or "ExpiredToken" or "InvalidToken" or "InvalidSecurity" =>
                new RestoreException(
                    RestoreErrorCode.CredentialsRefused,
                    $"The store refused the access key ({said})",
                    url.DisplayName,
                    failure
                ),
            "PermanentRedirect" or "AuthorizationHeaderMalformed" or "IllegalLocationConstraintException" =>
                new RestoreException(
                    RestoreErrorCode.BucketRegionWrong,
                    $"The bucket is in another region ({said})",
                    url.DisplayName,
                    failure
                ),
            "InvalidObjectState" => new AccessRefusedException(
                $"{what} is in archive storage; ask the store to restore it to normal storage first ({said})",
                failure
            )
            {
                IsArchived = true,
            },

            // The SDK has just learned the server's clock from this answer, and signs the next
            // request accordingly.
            "RequestTimeTooSkewed" or "RequestTimeout" or "SlowDown" => new TransientStoreException(
                $"The store answered {said} ({what})",
                failure
            )
            {
                RetryAfter = RetryAfter(service),
            },
            _ => http.FailureOf(service.StatusCode, what, RetryAfter(service)),
        };
    }

    public RestoreException NotS3(Exception? failure = null) =>
        new(
            RestoreErrorCode.NotS3,
            "The server does not speak S3 here (its answer is no listing)",
            url.DisplayName,
            failure
        );

    private RestoreException NoCredentials(Exception failure) =>
        new(RestoreErrorCode.CredentialsMissing, "There are no usable credentials for S3", url.DisplayName, failure);

    /// <summary>
    /// The failure of the connection, perhaps wrapped by the SDK; null if the server answered, or
    /// got no request.
    /// </summary>
    private static Exception? Exchange(Exception failure)
    {
        for (
            Exception? cause = failure;
            cause is not (null or HttpErrorResponseException);
            cause = cause.InnerException
        )
        {
            if (cause is HttpRequestException or IOException)
            {
                return cause;
            }
        }

        return null;
    }

    private static TimeSpan? RetryAfter(AmazonServiceException service)
    {
        string? header = (service.InnerException as HttpErrorResponseException)?.Response?.GetHeaderValue(
            "Retry-After"
        );
        return int.TryParse(header, NumberStyles.None, CultureInfo.InvariantCulture, out int seconds)
            ? TimeSpan.FromSeconds(seconds)
            : null;
    }
}
