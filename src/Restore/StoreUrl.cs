using System.Globalization;

namespace Restore;

/// <summary>
/// The location of a backup, taken apart as Duplicati does it, with the options of its query and those given beside it.
/// Not <see cref="Uri"/>, which folds the case of a host (for rclone the name of a remote) and refuses bucket names with an underscore.
/// </summary>
public sealed class StoreUrl
{
    internal StoreUrl(string scheme, string host, int? port, string path, string? username, string? password, StoreOptionValues options)
    {
        (Scheme, Host, Port, Path, Username, Password, Options) = (scheme, host, port, path, username, password, options);
    }

    /// <summary>The scheme in lower case, without <c>://</c>; <c>file</c> for a path.</summary>
    public string Scheme { get; }

    /// <summary>The server, bucket or remote; an IPv6 address keeps its brackets. Empty only for <c>file</c>.</summary>
    public string Host { get; }

    /// <summary>The port; null if none is given.</summary>
    public int? Port { get; }

    /// <summary>
    /// The path, unescaped, without the slash that ends the host and those at its end. A path that starts with a slash is absolute where a store knows such
    /// paths. For <c>file</c> the path on this machine.
    /// </summary>
    public string Path { get; }

    /// <summary>The user, from the URL or else the option <c>auth-username</c>; null if neither is given.</summary>
    public string? Username { get; }

    /// <summary>The password, from the URL or else the option <c>auth-password</c>; null if neither is given.</summary>
    public string? Password { get; }

    /// <summary>The options of the query and those given beside the URL; of an option in both the query counts.</summary>
    public StoreOptionValues Options { get; }

    /// <summary>The name of the store in messages: the URL without user, password and query; for <c>file</c> the path.</summary>
    public string DisplayName => Host.Length == 0 ? Path : $"{Scheme}://{HostAndPort}/{Path}";

    /// <summary>The host, with the port if one is given.</summary>
    public string HostAndPort => Port is { } port ? string.Create(CultureInfo.InvariantCulture, $"{Host}:{port}") : Host;

    /// <summary>The <see cref="DisplayName"/>: no credential is in it.</summary>
    public override string ToString() => DisplayName;
}
