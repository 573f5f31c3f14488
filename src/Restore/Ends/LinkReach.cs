namespace Restore.Ends;

/// <summary>What is at a path of the target, and where to if it is a link.</summary>
internal delegate (TargetKind Kind, string? LinkTarget) LinkLook(string path);

/// <summary>
/// Whether a link stays inside of the target, whichever way the system goes. The text alone does not tell: where x is a link, <c>a/x/../b</c> is not beside x.
/// So links on the way are followed, and '..' may only leave a folder that is there; what is not there yet may become a link.
/// </summary>
/// <param name="rootPath">The full path of the target.</param>
/// <param name="look">Looks at a path of the target without following a link.</param>
internal sealed class LinkReach(string rootPath, LinkLook look)
{
    // As many as Linux follows.
    private const int MaxLinks = 40;

    private static readonly StringComparison Comparison =
        OperatingSystem.IsWindows() || OperatingSystem.IsMacOS() ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;

    private readonly string[] rootNames = NamesOf(Path.GetFullPath(rootPath));
    private int linksLeft = MaxLinks;

    /// <summary>Tells whether a link may be made.</summary>
    /// <param name="path">Where the link is, at the target; its folder is real.</param>
    /// <param name="linkTarget">What it points to.</param>
    public bool IsInside(string path, string linkTarget)
    {
        // No target takes a link of more than that.
        linksLeft = MaxLinks;
        return linkTarget.Length > TargetPath.MaxPathBytes || Follow([.. NamesOf(TargetPath.Split(path, out _).ToString())], linkTarget) is not null;
    }

    private static string[] NamesOf(string path) => path[(Path.GetPathRoot(path)?.Length ?? 0)..]
        .Split([Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar], StringSplitOptions.RemoveEmptyEntries);

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

    /// <summary>Goes from a folder of the target to where a link in it points to.</summary>
    /// <returns>The names down from the root; null if the way leaves the target, or might.</returns>
    private List<string>? Follow(List<string> place, string linkTarget)
    {
        if (linkTarget.Length == 0 || linkTarget.Contains('\0'))
        {
            return null;
        }

        IEnumerable<string> names = NamesOf(linkTarget).Where(name => name != ".");
        if (Path.IsPathRooted(linkTarget))
        {
            if (!IsBelowRoot(linkTarget))
            {
                return null;
            }

            place = [];
            names = names.Skip(rootNames.Length);
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
