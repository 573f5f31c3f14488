namespace Restore.Cli.Options;

/// <summary>
/// Storage URLs: a job's URL as the command line changes it, and any URL without its secrets.
/// </summary>
internal static class StorageLocation
{
    /// <summary>Names the backup for command lines that do not.</summary>
    public const string Variable = "RESTORE_LOCATION";

    /// <summary>
    /// Whether an operand says by itself that it is a backup: a URL, or a folder with file lists.
    /// </summary>
    public static bool IsBackup(string operand) =>
        operand.Contains("://", StringComparison.Ordinal) || HasLists(operand);

    public static bool HasLists(string folder)
    {
        try
        {
            return Directory.Exists(folder) && Directory.EnumerateFiles(folder, "*.dlist*").Any();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <summary>
    /// The folder of this machine that a location names, as it stands there; null if it names
    /// another store.
    /// </summary>
    public static string? FolderOf(string location)
    {
        var (start, _, rest, _) = Split(location);
        return start.Length == 0 ? location
            : start.Equals("file://", StringComparison.OrdinalIgnoreCase) ? Uri.UnescapeDataString(rest)
            : null;
    }

    /// <summary>
    /// Leaves out what the command line gives itself, since the URL would take precedence, and what
    /// no job may give.
    /// </summary>
    public static string OfJob(DuplicatiJob job, IEnumerable<string> given)
    {
        var names = given.ToHashSet(StringComparer.OrdinalIgnoreCase);
        if (job.Location is not { } location)
        {
            job.RequireReadable();
            throw new RestoreException(
                RestoreErrorCode.JobFileUnusable,
                $"The job '{job.Name}' has no storage URL",
                job.Origin
            );
        }

        var (start, user, rest, query) = Split(location);
        user =
            names.Contains("auth-username") ? ""
            : names.Contains("auth-password") ? WithoutPassword(user)
            : user;
        return Join(start, user, rest, query.Where(pair => !names.Contains(NameOf(pair)) && IsFromJob(NameOf(pair))));
    }

    /// <summary>
    /// Whether a location names a store, or a remote that the user has made, and nothing more:
    /// rclone takes settings in the place of a name (':webdav,bearer_token_command=...'), also
    /// beside one.
    /// </summary>
    public static bool IsOnlyName(string location)
    {
        var scheme = location.IndexOf("://", StringComparison.Ordinal);
        if (scheme < 0 || !location.AsSpan(0, scheme).Trim().Equals("rclone", StringComparison.OrdinalIgnoreCase))
        {
            return true;
        }

        var remote = location[(scheme + 3)..].Split('?', 2)[0].Split('/', 2)[0];

        // Letters are allowed one by one, and not forbidden: rclone may give other signs a meaning
        // later.
        var name = Uri.UnescapeDataString(remote[(remote.LastIndexOf('@') + 1)..].TrimEnd(':'));
        return name.All(letter => char.IsLetterOrDigit(letter) || letter is '_' or '-' or '.' or '+' or ' ')
            && !name.StartsWith('-');
    }

    /// <summary>
    /// The URL for people: without passwords, and with only those options of its query that are
    /// known to be no secrets.
    /// </summary>
    public static string Shown(string location)
    {
        var (start, user, rest, query) = Split(location);
        var open = query.Where(pair =>
            ForeignOptions.IsStoreOption(NameOf(pair)) && !ForeignOptions.IsSecret(NameOf(pair))
        );
        return Join(start, WithoutPassword(user), rest, open);
    }

    /// <summary>
    /// A source as a user sees it. The source of a service is a path, a bar and a storage URL.
    /// </summary>
    public static string ShownSource(string source) =>
        source.IndexOf('|', StringComparison.Ordinal) is var bar and >= 0
            ? source[..(bar + 1)] + Shown(source[(bar + 1)..])
        : source.Contains("://", StringComparison.Ordinal) ? Shown(source)
        : source;

    /// <summary>
    /// The credentials in a storage URL and among the options of the store, as they stand there and
    /// unescaped.
    /// </summary>
    public static IEnumerable<string> SecretsIn(string location, IReadOnlyDictionary<string, string> storeOptions)
    {
        var (_, user, _, query) = Split(location);
        return query
            .Where(pair => ForeignOptions.IsSecret(NameOf(pair)))
            .Select(pair => pair.Split('=', 2))
            .Append(user.TrimEnd('@').Split(':', 2))
            .Where(parts => parts.Length == 2)
            .SelectMany(parts => new[] { parts[1], Uri.UnescapeDataString(parts[1]) })
            .Concat(storeOptions.Where(option => ForeignOptions.IsSecret(option.Key)).Select(option => option.Value));
    }

    /// <summary>Scheme, user with the @, host and path, and the pairs of the query.</summary>
    private static (string Start, string User, string Path, string[] Query) Split(string location)
    {
        var scheme = location.IndexOf("://", StringComparison.Ordinal);
        if (scheme < 0)
        {
            return ("", "", location, []);
        }

        var mark = location.IndexOf('?', scheme);
        var query = mark < 0 ? [] : location[(mark + 1)..].Split('&', StringSplitOptions.RemoveEmptyEntries);
        var rest = mark < 0 ? location[(scheme + 3)..] : location[(scheme + 3)..mark];
        var at = rest.Split('/', 2)[0].LastIndexOf('@') + 1;
        return (location[..(scheme + 3)], rest[..at], rest[at..], query);
    }

    private static string Join(string start, string user, string rest, IEnumerable<string> query)
    {
        var pairs = string.Join('&', query);
        return start + user + rest + (pairs.Length > 0 ? "?" + pairs : "");
    }

    private static string WithoutPassword(string user) =>
        user.IndexOf(':', StringComparison.Ordinal) is var colon and >= 0 ? user[..colon] + "@" : user;

    private static bool IsFromJob(string name) => ForeignOptions.IsFromJob(name) || !ForeignOptions.IsStoreOption(name);

    private static string NameOf(string pair) => Uri.UnescapeDataString(pair.Split('=', 2)[0]).ToLowerInvariant();
}
