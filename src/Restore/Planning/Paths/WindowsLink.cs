namespace Restore.Planning.Paths;

/// <summary>
/// The target of a link of a Windows backup, for a tree of another system: with '/' between names,
/// relative to the folder of the link. A target that names a drive or a share is at the place in
/// the tree to which the restore maps it.
/// </summary>
internal static class WindowsLink
{
    private static readonly char[] Separators = ['\\', '/'];

    // What Windows puts before a path to pass it on as it is, and before the target of a junction.
    private static readonly string[] Prefixes = [@"\\?\UNC\", @"\??\UNC\", @"\\?\", @"\??\", @"\\.\"];

    public static bool IsWindows(string path) =>
        OriginalPath.StyleOf(Encoding.UTF8.GetBytes(path)) == PathStyle.Windows;

    /// <summary>Translates a target.</summary>
    /// <param name="linkPath">The original path of the link, which is one of Windows.</param>
    /// <param name="linkTarget">The target as recorded.</param>
    /// <param name="prefixLength">Bytes that the restore cuts off the start of each path; 0 if
    /// drives and servers are folders of the tree.</param>
    /// <param name="hasRoot">Whether the tree has the folder of a drive or server; null to accept
    /// only the drive or server of the link.</param>
    /// <returns>The target; null if it is no place in the tree.</returns>
    public static string? Translate(
        string linkPath,
        string linkTarget,
        int prefixLength,
        Predicate<string>? hasRoot = null
    )
    {
        // 1. A target that is relative keeps its names; only the separators change.
        // 2. A target with a drive or share becomes its place in the tree: it must be below the
        //    folder that the restore cuts off, or on a drive or server that the tree has.
        // 3. The way from the folder of the link to that place, with ".." for each folder up, is
        //    the new target. The tree can then be anywhere.
        string plain = WithoutPrefix(linkTarget);
        linkPath = WithoutPrefix(linkPath);
        if (plain.Length == 0)
        {
            return null;
        }

        if (plain == linkTarget && !IsRooted(linkTarget))
        {
            return linkTarget.Contains(':', StringComparison.Ordinal) ? null : linkTarget.Replace('\\', '/');
        }

        List<string>? names = NamesOf(plain);
        if (
            names is null
            && plain[0] is '\\' or '/'
            && !plain.StartsWith(@"\\", StringComparison.Ordinal)
            && NamesOf(linkPath) is [var drive, ..]
        )
        {
            // On the drive of the link.
            names = NamesOf(drive + plain);
        }

        if (NamesOf(linkPath) is not { } own)
        {
            return null;
        }

        byte[] prefix = Encoding.UTF8.GetBytes(linkPath)[..prefixLength];
        int cut = prefixLength == 0 ? 0 : NamesOf(Encoding.UTF8.GetString(prefix))?.Count ?? 0;
        if (
            names is null
            || names.Count < cut
            || !names.Take(cut).SequenceEqual(own.Take(cut), StringComparer.OrdinalIgnoreCase)
            || (cut == 0 && !IsSame(names[0], own[0]) && hasRoot?.Invoke(RootOf(names[0])) != true)
        )
        {
            return null;
        }

        // Windows ignores case, so names of both paths that differ only in case are the same
        // folders.
        string[] place = [.. names.Skip(cut)];
        string[] folder = [.. own.Skip(cut).SkipLast(1)];
        int common = 0;
        while (common < place.Length && common < folder.Length && IsSame(place[common], folder[common]))
        {
            common++;
        }

        IEnumerable<string> rest = place
            .Skip(common)
            .Select((name, index) => cut + common + index == 0 ? RootOf(name) : name);
        string[] parts = [.. Enumerable.Repeat("..", folder.Length - common), .. rest];
        return parts.Length == 0 ? "." : string.Join('/', parts);
    }

    private static bool IsRooted(string path) => path is ['\\' or '/', ..] || path is [_, ':', ..];

    private static string WithoutPrefix(string path) =>
        Array.Find(Prefixes, prefix => path.StartsWith(prefix, StringComparison.OrdinalIgnoreCase)) switch
        {
            null => path,
            var prefix when prefix.Length > 4 => @"\\" + path[prefix.Length..],
            var prefix => path[prefix.Length..],
        };

    /// <summary>
    /// The drive or server and the names of a full path, without '.' and '..'; null if the path is
    /// not a full path.
    /// </summary>
    private static List<string>? NamesOf(string path)
    {
        bool isDrive = path is [_, ':', '\\' or '/', ..] or [_, ':'] && char.IsAsciiLetter(path[0]);
        bool isShare =
            path.Length > 2
            && path[0] is '\\' or '/'
            && path[1] is '\\' or '/'
            && path[2] is not ('\\' or '/' or '?' or '.');
        if (!isDrive && !isShare)
        {
            return null;
        }

        List<string> names = [];
        foreach (string name in path.Split(Separators, StringSplitOptions.RemoveEmptyEntries))
        {
            if (name == "..")
            {
                names.RemoveRange(Math.Max(1, names.Count - 1), names.Count > 1 ? 1 : 0);
            }
            else if (name != ".")
            {
                names.Add(name);
            }
        }

        return names;
    }

    private static string RootOf(string name) => name is [_, ':'] ? name[..1] : name;

    private static bool IsSame(string left, string right) =>
        string.Equals(left, right, StringComparison.OrdinalIgnoreCase);
}
