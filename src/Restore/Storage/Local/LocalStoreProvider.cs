namespace Restore.Storage.Local;

/// <summary>Folders of this machine, and shares mounted on it.</summary>
internal sealed class LocalStoreProvider : IStoreProvider
{
    public string Name => "Local folder";

    public string Summary => "a folder of this machine or a mounted share";

    public IReadOnlyList<string> Schemes => ["file"];

    public IReadOnlyList<string> Locations => ["/mnt/backup", @"C:\backup", @"\\server\share", "file:///mnt/backup"];

    public IReadOnlyList<StoreOption> Options => [];

    public IReadOnlyList<string> IgnoredOptions =>
        ["alternate-target-paths", "alternate-destination-marker", "use-move-for-put", "disable-length-verification"];

    public IVolumeStore Open(StoreContext context) => new LocalFolderStore(context.Url.Path, context.Transfers, context.TimeProvider);

    public IVolumeSink OpenSink(StoreContext context) => new LocalFolderSink(context.Url.Path);
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
