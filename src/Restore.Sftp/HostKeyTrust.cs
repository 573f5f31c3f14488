namespace Restore.Sftp;

/// <summary>
/// Decides which host keys to trust: by the fingerprint that was given, or by OpenSSH's file of
/// known servers.
/// </summary>
internal sealed class HostKeyTrust
{
    private readonly StoreUrl url;
    private readonly bool isKnown;

    private HostKeyTrust(StoreUrl url, Func<SshHostKey, bool> includes, IEnumerable<string> preferred, bool isKnown)
    {
        (this.url, Includes, this.isKnown) = (url, includes, isKnown);
        Kinds = [.. preferred.Intersect(SshHostKey.Kinds).Union(SshHostKey.Kinds)];
    }

    public Func<SshHostKey, bool> Includes { get; }

    /// <summary>All kinds of keys, those first that are known.</summary>
    public IReadOnlyList<string> Kinds { get; }

    public static HostKeyTrust By(StoreUrl url, int port)
    {
        if (url.Options.Flag(SftpOptions.AcceptAnyFingerprint))
        {
            return new HostKeyTrust(url, _ => true, [], isKnown: true);
        }

        if (url.Options.Text(SftpOptions.Fingerprint) is { } fingerprint)
        {
            return new HostKeyTrust(
                url,
                key => key.Matches(fingerprint),
                [fingerprint.Trim().Split(' ')[0]],
                isKnown: true
            );
        }

        KnownHosts known = KnownHosts.Read(url.Options.Text(SftpOptions.KnownHosts), url.Host.Trim('[', ']'), port);
        return new HostKeyTrust(url, known.Includes, known.Keys.Select(key => key.Type), known.Keys.Count > 0);
    }

    public static HostKeyTrust In(SshHostKey key, StoreUrl url) => new(url, key.IsSameAs, [key.Type], isKnown: true);

    /// <summary>The error when no key of the server is trusted.</summary>
    public RestoreException Refusal(IEnumerable<SshHostKey> offered, Exception cause)
    {
        string keys = string.Join(", ", offered.Select(key => $"{key.Type} {key.Sha256}"));
        return isKnown
            ? new RestoreException(
                RestoreErrorCode.SshServerChanged,
                $"The SSH server is not the one that is known; it offers the keys {keys}",
                url.DisplayName,
                cause
            )
            : new RestoreException(
                RestoreErrorCode.SshServerUnknown,
                $"The SSH server is not known; it offers the keys {keys}",
                url.DisplayName,
                cause
            );
    }
}
