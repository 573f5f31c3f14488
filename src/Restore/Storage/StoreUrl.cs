using System.Globalization;

namespace Restore.Storage;

/// <summary>
/// A store's URL taken apart as Duplicati does it, with the options of its query and those given beside it.
/// Not <see cref="Uri"/>: that one folds the case of a host, which for rclone is the name of a remote, and refuses bucket names with an underscore.
/// </summary>
internal sealed class StoreUrl
{
    private StoreUrl(string scheme, string host, int? port, string path, string? username, string? password, StoreOptions options)
    {
        (Scheme, Host, Port, Path, Username, Password, Options) = (scheme, host, port, path, username, password, options);
    }

    /// <summary>In lower case, without <c>://</c>.</summary>
    public string Scheme { get; }

    /// <summary>Server, bucket or remote; never empty. An IPv6 address keeps its brackets.</summary>
    public string Host { get; }

    public int? Port { get; }

    /// <summary>
    /// Unescaped, without the slash that ends the host and those at its end. One that starts with a slash is absolute where a store knows such paths.
    /// </summary>
    public string Path { get; }

    public string? Username { get; }

    public string? Password { get; }

    public StoreOptions Options { get; }

    /// <summary>What to call the store: the URL without user, password and query.</summary>
    public string DisplayName => $"{Scheme}://{HostAndPort}/{Path}";

    public string HostAndPort => Port is { } port ? string.Create(CultureInfo.InvariantCulture, $"{Host}:{port}") : Host;

    public static bool HasScheme(string location) => location.IndexOf("://", StringComparison.Ordinal) > 0;

    /// <exception cref="RestoreException">The URL lacks a part or has one that cannot be read. The message never repeats the URL, which may hold a
    /// password.</exception>
    public static StoreUrl Parse(string location, IReadOnlyDictionary<string, string> storeOptions)
    {
        int schemeEnd = location.IndexOf("://", StringComparison.Ordinal);
        string scheme = location[..schemeEnd].ToLowerInvariant();
        (string beforeQuery, string query) = SplitAt(location[(schemeEnd + 3)..], '?');
        (string authority, string path) = SplitAt(beforeQuery, '/');

        int userEnd = authority.LastIndexOf('@');
        (string user, string password) = SplitAt(userEnd < 0 ? "" : authority[..userEnd], ':');
        (string host, int? port) = SplitPort(scheme, authority[(userEnd + 1)..]);

        // As in Duplicati, what the URL says goes before the options beside it.
        var options = new StoreOptions(storeOptions.Concat(QueryOptions(query)));
        string? username = user.Length > 0 ? Uri.UnescapeDataString(user) : options.Text("auth-username");
        string? secret = password.Length > 0 ? Uri.UnescapeDataString(password) : options.Text("auth-password");
        return new StoreUrl(scheme, host, port, Uri.UnescapeDataString(path).TrimEnd('/'), username, secret, options);
    }

    private static (string Host, int? Port) SplitPort(string scheme, string server)
    {
        // The name of an rclone remote may end in its colon, and one that starts with it needs no configuration; none has a port.
        bool isRemote = scheme == "rclone";
        server = isRemote ? server.TrimEnd(':') : server;
        int colon = isRemote ? -1 : server.LastIndexOf(':');
        bool hasPort = colon > server.LastIndexOf(']');
        string host = Uri.UnescapeDataString(hasPort ? server[..colon] : server);
        if (host.Length == 0)
        {
            throw new RestoreException(RestoreErrorKind.Usage, $"The {scheme}:// URL names no server", advice: $"Write it as {scheme}://name/folder");
        }

        if (!hasPort || colon == server.Length - 1)
        {
            return (host, null);
        }

        return int.TryParse(server.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out int port) && port is > 0 and <= 65535
            ? (host, port)
            : throw new RestoreException(
                RestoreErrorKind.Usage, $"The {scheme}:// URL has a port that is no number from 1 to 65535",
                advice: "In a user name or password write @ as %40, : as %3A and / as %2F");
    }

    private static IEnumerable<KeyValuePair<string, string>> QueryOptions(string query)
    {
        foreach (string pair in query.Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            (string name, string value) = SplitAt(pair, '=');
            yield return new(Decode(name), Decode(value));
        }
    }

    private static string Decode(string text) => Uri.UnescapeDataString(text.Replace('+', ' '));

    private static (string Before, string After) SplitAt(string text, char separator)
    {
        int at = text.IndexOf(separator, StringComparison.Ordinal);
        return at < 0 ? (text, "") : (text[..at], text[(at + 1)..]);
    }
}
