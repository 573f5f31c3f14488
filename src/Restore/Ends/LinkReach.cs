namespace Restore.Ends;

/// <summary>What is at a path of the target, and the link's own target if it is a link.</summary>
internal delegate (TargetKind Kind, string? LinkTarget) LinkLook(string path);

/// <summary>
/// Whether a link stays inside of the target when the system resolves it. The text alone is not
/// enough: if x is a link, <c>a/x/../b</c> is not beside x. Therefore, links on the way are
/// followed, and '..' may only leave an existing folder; a missing folder may become a link.
/// </summary>
/// <param name="look">Looks at a path of the target without following a link.</param>
/// <param name="find">Where a rooted path leads, for a target that is more than one folder; null if
/// the path leads out of the target.</param>
internal sealed class LinkReach(string rootPath, LinkLook look, Func<string, string?>? find = null)
{
    // Linux follows the same number of links.
    private const int MaxLinks = 40;

    private static readonly StringComparison Comparison =
        OperatingSystem.IsWindows() || OperatingSystem.IsMacOS()
            ? StringComparison.OrdinalIgnoreCase
            : StringComparison.Ordinal;

    private readonly string[] rootNames = NamesOf(Path.GetFullPath(rootPath));
    private int linksLeft = MaxLinks;

    /// <summary>Whether a link may be created.</summary>
    /// <param name="path">The path of the link at the target; its folder is a real folder.</param>
    public bool IsInside(string path, string linkTarget)
    {
        // No system accepts a longer target.
        linksLeft = MaxLinks;
        return linkTarget.Length > TargetPath.MaxPathBytes
            || Follow([.. NamesOf(TargetPath.Split(path, out _).ToString())], linkTarget) is not null;
    }

    private static string[] NamesOf(string path) =>
        path[(Path.GetPathRoot(path)?.Length ?? 0)..]
            .Split(
                [Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar],
                StringSplitOptions.RemoveEmptyEntries
            );

    private (TargetKind Kind, string? LinkTarget) Look(List<string> place)
    {
        try
        {
            return look(string.Join('/', place));
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return default;
        }
    }

    /// <summary>Resolves the target of a link, starting at a folder of the target.</summary>
    /// <returns>The names below the root; null if the way leaves the root, or might.</returns>
    private List<string>? Follow(List<string> place, string linkTarget)
    {
        if (linkTarget.Length == 0 || linkTarget.Contains('\0'))
        {
            return null;
        }

        IEnumerable<string> names = NamesOf(linkTarget).Where(name => name != ".");
        if (Path.IsPathRooted(linkTarget))
        {
            string? found = find?.Invoke(linkTarget);
            if (found is null && !IsBelowRoot(linkTarget))
            {
                return null;
            }

            place = [];
            names = found is null ? names.Skip(rootNames.Length) : found.Split('/').Where(name => name != ".");
        }

        bool isKnown = true;
        foreach (string name in names)
        {
            if (name == "..")
            {
                if (!isKnown || place.Count == 0)
                {
                    return null;
                }

                place.RemoveAt(place.Count - 1);
                continue;
            }

            (TargetKind kind, string? further) = isKnown ? Look([.. place, name]) : default;
            if (kind == TargetKind.Symlink)
            {
                if (--linksLeft < 0 || further is null || Follow([.. place], further) is not List<string> reached)
                {
                    return null;
                }

                place = reached;
                isKnown = Look(place).Kind == TargetKind.Folder;
                continue;
            }

            place.Add(name);
            isKnown = kind == TargetKind.Folder;
        }

        return place;
    }

    private bool IsBelowRoot(string linkTarget)
    {
        IEnumerable<string> first = NamesOf(linkTarget).Where(name => name != ".").Take(rootNames.Length);
        return Path.IsPathFullyQualified(linkTarget)
            && string.Equals(Path.GetPathRoot(linkTarget), Path.GetPathRoot(Path.GetFullPath(rootPath)), Comparison)
            && first.SequenceEqual(rootNames, StringComparer.FromComparison(Comparison));
    }
}
