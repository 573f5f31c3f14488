namespace Restore.Stores;

/// <summary>
/// The parsed location of a backup, by Duplicati's rules, with the options of its query and the
/// options that were given in addition to the URL. Not <see cref="Uri"/>, which changes the case of
/// a host (for rclone the name of a remote) and refuses bucket names with an underscore.
/// </summary>
public sealed class StoreUrl
{
    internal StoreUrl(
        string scheme,
        string host,
        int? port,
        string path,
        string? username,
        string? password,
        StoreOptionValues options
    )
    {
        (Scheme, Host, Port, Path, Username, Password, Options) = (
            scheme,
            host,
            port,
            path,
            username,
            password,
            options
        );
    }

    /// <summary>The scheme in lower case, without <c>://</c>; <c>file</c> for a path.</summary>
    public string Scheme { get; }

    /// <summary>
    /// The server, bucket or remote; an IPv6 address keeps its brackets. Empty only for
    /// <c>file</c>.
    /// </summary>
    public string Host { get; }

    /// <summary>The port; null if none is given.</summary>
    public int? Port { get; }

    /// <summary>
    /// The unescaped path, without the slash after the host and the slashes at its end. A path that
    /// starts with a slash is absolute in stores that have such paths. For <c>file</c> the path on
    /// this machine.
    /// </summary>
    public string Path { get; }

    /// <summary>
    /// The user, from the URL or else the option <c>auth-username</c>; null if neither is given.
    /// </summary>
    public string? Username { get; }

    /// <summary>
    /// The password, from the URL or else the option <c>auth-password</c>; null if neither is
    /// given.
    /// </summary>
    public string? Password { get; }

    /// <summary>
    /// The options of the query and the options that were given in addition to the URL; the query
    /// takes precedence.
    /// </summary>
    public StoreOptionValues Options { get; }

    /// <summary>
    /// The name of the store in messages: the URL without user, password and query; for <c>file</c>
    /// the path.
    /// </summary>
    public string DisplayName => Host.Length == 0 ? Path : $"{Scheme}://{HostAndPort}/{Path}";

    /// <summary>The host, with the port if one is given.</summary>
    public string HostAndPort =>
        Port is { } port ? string.Create(CultureInfo.InvariantCulture, $"{Host}:{port}") : Host;

    /// <summary>The <see cref="DisplayName"/>, without credentials.</summary>
    public override string ToString() => DisplayName;
}
