namespace Restore.Storage.Rclone;

/// <summary>
/// What rclone's complaints mean for a restore. Its exit codes say little, so its sentences are looked at; what none of these names is tried again.
/// </summary>
internal static class RcloneFailures
{
    private const int DirectoryNotFound = 3;

    private static readonly string[] Refusals =
        ["unable to authenticate", "530 ", "login incorrect", "unauthorized", "accessdenied", "signaturedoesnotmatch", "invalidaccesskeyid", "invalid_grant"];

    private static readonly string[] BadKeys = ["private key", "no key found", "passphrase"];

    private static readonly string[] NothingThere = ["no such host", "connection refused", "no route to host", "network is unreachable", "i/o timeout"];

    /// <param name="complaint">What rclone said last, without credentials.</param>
    /// <param name="exitCode">How it ended, or null if it goes on.</param>
    /// <param name="where">The store.</param>
    /// <param name="cause">What showed the failure, or null.</param>
    public static Exception Of(string complaint, int? exitCode, string where, Exception? cause = null)
    {
        if (exitCode == DirectoryNotFound)
        {
            return new RestoreException(RestoreErrorKind.NotFound, "There is no such folder", where, "Check the path after the server's name", cause);
        }

        if (Has(complaint, "find section in config file"))
        {
            return new RestoreException(
                RestoreErrorKind.NotFound, "rclone has no remote of this name", where,
                "'rclone listremotes' shows those there are, 'rclone config' makes one", cause);
        }

        if (Has(complaint, "key mismatch") || Has(complaint, "key is unknown"))
        {
            return new RestoreException(
                RestoreErrorKind.Failed, $"The SSH server showed another key than the one that --ssh-fingerprint names ({complaint})", where,
                "An rclone before 1.64 cannot ask for a kind of key: give the fingerprint of the server's ecdsa key, or a newer rclone. "
                + "Otherwise somebody may be in between", cause);
        }

        if (Refusals.Any(refusal => Has(complaint, refusal)))
        {
            return new RestoreException(
                RestoreErrorKind.Failed, $"The store refused the user name or password ({complaint})", where,
                "Check --auth-username and --auth-password", cause);
        }

        if (BadKeys.Any(badKey => Has(complaint, badKey)))
        {
            return new RestoreException(
                RestoreErrorKind.Failed, $"The SSH key cannot be used ({complaint})", where,
                "Check --ssh-keyfile; --auth-password is the key's passphrase", cause);
        }

        bool unreachable = NothingThere.Any(nothing => Has(complaint, nothing));
        return new TransientStoreException($"rclone could not do it: {complaint}", cause) { StoreUnreachable = unreachable };
    }

    private static bool Has(string complaint, string words) => complaint.Contains(words, StringComparison.OrdinalIgnoreCase);
}
