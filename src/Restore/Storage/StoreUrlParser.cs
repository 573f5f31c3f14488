using Restore.Storage.Local;

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
            ? ParseUrl(location[..schemeEnd].ToLowerInvariant(), location[(schemeEnd + SchemeEnd.Length)..], storeOptions)
            : throw new RestoreException(RestoreErrorCode.LocationInvalid, "The location of the backup is neither a path nor a URL", location);
    }

    private static StoreUrl ParseUrl(string scheme, string rest, IReadOnlyDictionary<string, string> storeOptions)
    {
        (string beforeQuery, string query) = SplitAt(rest, '?');
        (string authority, string path) = SplitAt(beforeQuery, '/');

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
        // The name of an rclone remote may end in a colon, and one that starts with a colon needs no configuration; none has a port.
        bool isRemote = scheme == "rclone";
        server = isRemote ? server.TrimEnd(':') : server;
        int colon = isRemote ? -1 : server.LastIndexOf(':');
        bool hasPort = colon > server.LastIndexOf(']');
        string host = Uri.UnescapeDataString(hasPort ? server[..colon] : server);
        if (host.Length == 0)
        {
            throw new RestoreException(RestoreErrorCode.UrlHostMissing, $"The {scheme}:// URL names no server, as in {scheme}://name/folder");
        }

        if (!hasPort || colon == server.Length - 1)
        {
            return (host, null);
        }

        return int.TryParse(server.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out int port) && port is > 0 and <= 65535
            ? (host, port)
            : throw new RestoreException(RestoreErrorCode.UrlPortInvalid, $"The {scheme}:// URL has a port that is not a number from 1 to 65535");
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

/// <summary>Which names in a server's listing can be files of a flat folder.</summary>
internal static class RemoteNames
{
    private const int MaxLength = 1024;

    public static bool IsPlain(string name) =>
        name.Length is > 0 and <= MaxLength && name is not ("." or "..") && name.AsSpan().IndexOfAny('/', '\\') < 0 && !name.Any(char.IsControl);

    /// <summary>A path for a URL: every segment escaped, the slashes kept.</summary>
    public static string EscapePath(string path) => string.Join('/', path.Split('/').Select(Uri.EscapeDataString));
}

/// <summary>Reads a local path from a location as users and Duplicati write it: a path, or a <c>file://</c> URL.</summary>
internal static class FileLocation
{
    private const string SchemeEnd = "://";

    /// <summary>Reads the path of a location; false if the location is another kind of URL, empty, or not a possible path.</summary>
    public static bool TryParse(string location, bool isWindows, out string path)
    {
        int schemeLength = location.IndexOf(SchemeEnd, StringComparison.Ordinal);
        if (schemeLength < 0)
        {
            path = location;
        }
        else if (location.AsSpan(0, schemeLength).Equals("file", StringComparison.OrdinalIgnoreCase))
        {
            path = PathOfUrl(location[(schemeLength + SchemeEnd.Length)..], isWindows);
        }
        else
        {
            path = "";
        }

        return path.Length > 0 && !path.Contains('\0');
    }

    private static string PathOfUrl(string rest, bool isWindows)
    {
        // Duplicati appends options as a query; a question mark in the name of a folder is percent-encoded.
        int query = rest.IndexOf('?');
        string path = Uri.UnescapeDataString(query < 0 ? rest : rest[..query]);
        if (path.StartsWith("localhost/", StringComparison.OrdinalIgnoreCase))
        {
            path = path["localhost".Length..];
        }

        if (!isWindows)
        {
            // Without a third slash, Duplicati reads the path as relative to the current folder; such a URL cannot name a share.
            return path;
        }

        if (path.StartsWith('/') && HasDrive(path.AsSpan(1)))
        {
            return path[1..];
        }

        bool isShare = path.Length > 0 && path[0] is not ('/' or '\\') && !HasDrive(path);
        return isShare ? @"\\" + path.Replace('/', '\\') : path;
    }

    private static bool HasDrive(ReadOnlySpan<char> path) => path.Length >= 2 && char.IsAsciiLetter(path[0]) && path[1] == ':';
}
