namespace Restore.Storage;

/// <summary>
/// Reads a local path from a location as users and Duplicati write it: a path, or a <c>file://</c>
/// URL.
/// </summary>
internal static class FileLocation
{
    private const string SchemeEnd = "://";

    /// <summary>
    /// Reads the path of a location; false if the location is another kind of URL, empty, or not a
    /// possible path.
    /// </summary>
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
        // Duplicati appends options as a query; a question mark in the name of a folder is
        // percent-encoded.
        int query = rest.IndexOf('?');
        string path = Uri.UnescapeDataString(query < 0 ? rest : rest[..query]);
        if (path.StartsWith("localhost/", StringComparison.OrdinalIgnoreCase))
        {
            path = path["localhost".Length..];
        }

        if (!isWindows)
        {
            // Without a third slash, Duplicati reads the path as relative to the current folder;
            // such a URL cannot name a share.
            return path;
        }

        if (path.StartsWith('/') && HasDrive(path.AsSpan(1)))
        {
            return path[1..];
        }

        bool isShare = path.Length > 0 && path[0] is not ('/' or '\\') && !HasDrive(path);
        return isShare ? @"\\" + path.Replace('/', '\\') : path;
    }

    private static bool HasDrive(ReadOnlySpan<char> path) =>
        path.Length >= 2 && char.IsAsciiLetter(path[0]) && path[1] == ':';
}
