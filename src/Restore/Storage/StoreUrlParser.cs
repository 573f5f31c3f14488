namespace Restore.Storage;

/// <summary>Parses a location: a path, or a URL in Duplicati's form.</summary>
internal static class StoreUrlParser
{
    private const string SchemeEnd = "://";

    /// <summary>Messages never repeat a URL, which may hold a password.</summary>
    public static StoreUrl Parse(string location, IReadOnlyDictionary<string, string> storeOptions)
    {
        if (FileLocation.TryParse(location, OperatingSystem.IsWindows(), out string localPath))
        {
            return new StoreUrl("file", "", null, localPath, null, null, new StoreOptionValues(storeOptions));
        }

        int schemeEnd = location.IndexOf(SchemeEnd, StringComparison.Ordinal);
        return schemeEnd > 0
            ? ParseUrl(
                location[..schemeEnd].ToLowerInvariant(),
                location[(schemeEnd + SchemeEnd.Length)..],
                storeOptions
            )
            : throw new RestoreException(
                RestoreErrorCode.LocationInvalid,
                "The location of the backup is neither a path nor a URL",
                location
            );
    }

    private static StoreUrl ParseUrl(string scheme, string rest, IReadOnlyDictionary<string, string> storeOptions)
    {
        (string beforeQuery, string query) = SplitAt(rest, '?');
        (string authority, string path) = SplitAt(beforeQuery, '/');

        // The last one, because a password that is not escaped can contain an @.
        int userEnd = authority.LastIndexOf('@');
        (string user, string password) = SplitAt(userEnd < 0 ? "" : authority[..userEnd], ':');
        (string host, int? port) = SplitPort(scheme, authority[(userEnd + 1)..]);

        // As in Duplicati, options in the URL take precedence.
        var options = new StoreOptionValues(storeOptions.Concat(QueryOptions(query)));
        string? username = user.Length > 0 ? Uri.UnescapeDataString(user) : options.Text(CommonOptions.Username);
        string? secret = password.Length > 0 ? Uri.UnescapeDataString(password) : options.Text(CommonOptions.Password);
        return new StoreUrl(scheme, host, port, Uri.UnescapeDataString(path).TrimEnd('/'), username, secret, options);
    }

    private static (string Host, int? Port) SplitPort(string scheme, string server)
    {
        // The name of an rclone remote may end in a colon, and one that starts with a colon needs
        // no configuration; none has a port.
        bool isRemote = scheme == "rclone";
        server = isRemote ? server.TrimEnd(':') : server;
        int colon = isRemote ? -1 : server.LastIndexOf(':');
        bool hasPort = colon > server.LastIndexOf(']');
        string host = Uri.UnescapeDataString(hasPort ? server[..colon] : server);
        if (host.Length == 0)
        {
            throw new RestoreException(
                RestoreErrorCode.UrlHostMissing,
                scheme is "s3" or "b2" or "gcs"
                    ? $"The {scheme}:// URL names no bucket, as in {scheme}://bucket/folder"
                    : $"The {scheme}:// URL names no server, as in {scheme}://name/folder"
            );
        }

        if (!hasPort || colon == server.Length - 1)
        {
            return (host, null);
        }

        return
            int.TryParse(server.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out int port)
            && port is > 0 and <= 65535
            ? (host, port)
            : throw new RestoreException(
                RestoreErrorCode.UrlPortInvalid,
                $"The {scheme}:// URL has a port that is not a number from 1 to 65535"
            );
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
