namespace Restore.Storage.Rclone;

/// <summary>
/// Maps rclone's error messages to the exceptions of a restore. Its exit codes say little, so the
/// text is inspected; an unknown message is retried.
/// </summary>
internal static class RcloneFailures
{
    private const int DirectoryNotFound = 3;

    private static readonly string[] Refusals =
    [
        "unable to authenticate",
        "530 ",
        "login incorrect",
        "unauthorized",
        "accessdenied",
        "signaturedoesnotmatch",
        "invalidaccesskeyid",
        "invalid_grant",
    ];

    private static readonly string[] BadKeys = ["private key", "no key found", "passphrase"];

    private static readonly string[] NothingThere = ["no such host", "connection refused"];

    private static readonly string[] NoWay = ["no route to host", "network is unreachable", "i/o timeout"];

    public static Exception Of(string complaint, int? exitCode, string where, Exception? cause = null)
    {
        if (exitCode == DirectoryNotFound)
        {
            return new RestoreException(RestoreErrorCode.RemoteFolderNotFound, "There is no such folder", where, cause);
        }

        if (Has(complaint, "find section in config file"))
        {
            return new RestoreException(
                RestoreErrorCode.RcloneRemoteNotFound,
                "rclone has no remote of this name",
                where,
                cause
            );
        }

        if (Has(complaint, "key mismatch") || Has(complaint, "key is unknown"))
        {
            return new RestoreException(
                RestoreErrorCode.SshKeyMismatch,
                $"The SSH server showed a key that the remote does not know ({complaint})",
                where,
                cause
            );
        }

        if (Refusals.Any(refusal => Has(complaint, refusal)))
        {
            return new RestoreException(
                RestoreErrorCode.CredentialsRefused,
                $"The store refused the user name or password ({complaint})",
                where,
                cause
            );
        }

        if (BadKeys.Any(badKey => Has(complaint, badKey)))
        {
            return new RestoreException(
                RestoreErrorCode.SshKeyUnusable,
                $"The SSH key cannot be used ({complaint})",
                where,
                cause
            );
        }

        bool nothing = NothingThere.Any(words => Has(complaint, words));
        return new TransientStoreException($"rclone could not do it: {complaint}", cause)
        {
            StoreUnreachable = nothing || NoWay.Any(words => Has(complaint, words)),
            NothingListens = nothing,
        };
    }

    private static bool Has(string complaint, string words) =>
        complaint.Contains(words, StringComparison.OrdinalIgnoreCase);
}
