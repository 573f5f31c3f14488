using System.Net.Sockets;
using Renci.SshNet.Common;

namespace Restore.Sftp;

/// <summary>Maps the failures of SSH.NET to the exceptions of a store.</summary>
internal sealed class SftpFailures(StoreContext context)
{
    private readonly StoreUrl url = context.Url;

    public static bool Handles(Exception failure) =>
        failure is SshException or SocketException or ObjectDisposedException or TimeoutException
        || (
            failure is IOException and not (TransientStoreException or FileNotFoundException or AccessRefusedException)
        );

    public Exception Of(Exception failure, string what) =>
        failure switch
        {
            SshAuthenticationException => new RestoreException(
                RestoreErrorCode.CredentialsRefused,
                $"The store refused the user name, the password or the key ({Said(context, failure)})",
                url.DisplayName,
                failure
            ),
            SftpPathNotFoundException => new FileNotFoundException($"{what} is not in {url.DisplayName}", failure),
            SftpPermissionDeniedException => new AccessRefusedException(
                $"The store refused access to {what} ({Said(context, failure)})",
                failure
            ),
            SftpException => new IOException($"The store answered {Said(context, failure)} ({what})", failure),
            SocketException socket => new TransientStoreException(
                $"The store cannot be reached ({what}): {Said(context, failure)}",
                failure
            )
            {
                StoreUnreachable = true,
                NothingListens = socket.SocketErrorCode is SocketError.ConnectionRefused or SocketError.HostNotFound,
            },
            _ => new TransientStoreException($"The connection broke off ({what}): {Said(context, failure)}", failure)
            {
                StoreUnreachable = failure is SshOperationTimeoutException or TimeoutException,
                NothingListens = failure is SshOperationTimeoutException,
            },
        };

    /// <summary>What a failure says, as a part of a sentence.</summary>
    public static string Said(StoreContext context, Exception failure) => context.Scrub(failure.Message);
}
