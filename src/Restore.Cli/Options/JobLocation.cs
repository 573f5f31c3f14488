namespace Restore.Cli.Options;

/// <summary>The storage URL of a job: as the command line changes it, and without its secrets.</summary>
internal static class JobLocation
{
    /// <summary>The URL without what the command line gives itself, since the URL would take precedence, and without what no job may give.</summary>
    /// <param name="job">The job.</param>
    /// <param name="given">Names of the store options that the command line has.</param>
    /// <exception cref="RestoreException">The job has no location, or it cannot be decrypted.</exception>
    public static string Of(DuplicatiJob job, IEnumerable<string> given)
    {
        var names = given.ToHashSet(StringComparer.OrdinalIgnoreCase);
        if (job.Location is not { } location)
        {
            job.RequireReadable();
            throw new RestoreException(RestoreErrorCode.JobFileUnusable, $"The job '{job.Name}' has no storage URL", job.Origin);
        }

        var (start, user, rest, query) = Split(location);
        user = names.Contains("auth-username") ? "" : names.Contains("auth-password") ? WithoutPassword(user) : user;
        return Join(start, user, rest, query.Where(pair => !names.Contains(NameOf(pair)) && IsFromJob(NameOf(pair))));
    }

    /// <summary>The URL for people: without passwords, and with only those options of its query that are known to be no secrets.</summary>
    public static string Shown(string location)
    {
        var (start, user, rest, query) = Split(location);
        var open = query.Where(pair => ForeignOptions.IsStoreOption(NameOf(pair)) && !ForeignOptions.IsSecret(NameOf(pair)));
        return Join(start, WithoutPassword(user), rest, open);
    }

    /// <summary>A source for people. That of a service is a path, a bar and a storage URL.</summary>
    public static string ShownSource(string source) =>
        source.IndexOf('|', StringComparison.Ordinal) is var bar and >= 0 ? source[..(bar + 1)] + Shown(source[(bar + 1)..])
        : source.Contains("://", StringComparison.Ordinal) ? Shown(source)
        : source;

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

    private static string WithoutPassword(string user) => user.IndexOf(':', StringComparison.Ordinal) is var colon and >= 0 ? user[..colon] + "@" : user;

    private static bool IsFromJob(string name) => ForeignOptions.IsFromJob(name) || !ForeignOptions.IsStoreOption(name);

    private static string NameOf(string pair) => Uri.UnescapeDataString(pair.Split('=', 2)[0]).ToLowerInvariant();
}
