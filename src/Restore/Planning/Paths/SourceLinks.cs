namespace Restore.Planning.Paths;

/// <summary>
/// Where the original places of sources are if this machine has links above them, such as
/// <c>/home -> var/home</c>, or at a source that was backed up as a folder. The links are followed
/// once, while a plan is made: the plan has the folders that they lead to, and nothing is ever
/// written through a link.
/// </summary>
/// <remarks>
/// A user who can replace a folder of his by a link could lead a restore that runs as another user
/// out of it. Therefore, a link is followed only if it belongs to root or to the user of this
/// process, or if the folder that it leads to belongs to the owner of the link.
/// </remarks>
internal sealed class SourceLinks(IRestoreTarget target)
{
    // Linux follows the same number of links.
    private const int MaxLinks = 40;

    private readonly Dictionary<string, Found> found = new(StringComparer.Ordinal);
    private readonly List<RestoreIssue> issues = [];
    private int linksLeft;

    /// <summary>The links that are not followed, one issue for each source.</summary>
    public IReadOnlyList<RestoreIssue> Issues => issues;

    /// <param name="folders">The absolute paths of sources.</param>
    /// <returns>The sources that are elsewhere.</returns>
    public IReadOnlyList<Redirect> Resolve(IEnumerable<string> folders)
    {
        List<Redirect> redirects = [];
        foreach (string folder in folders)
        {
            linksLeft = MaxLinks;
            string from = folder[1..];
            if (Follow("", from, out string? refusal) is not string to)
            {
                issues.Add(
                    new RestoreIssue(IssueKind.Refused, folder + "/", refusal!) { Code = IssueCode.LinkAboveSource }
                );
            }
            else if (to != from)
            {
                redirects.Add(new Redirect(from, to));
            }
        }

        return redirects;
    }

    /// <summary>Follows the links in a path, beginning at a folder without links in its path.</summary>
    private string? Follow(string place, string names, out string? refusal)
    {
        refusal = null;
        bool isFolder = true;
        foreach (string name in names.Split('/', StringSplitOptions.RemoveEmptyEntries).Where(name => name != "."))
        {
            if (name == "..")
            {
                // As for the system: behind what is not there, nothing is.
                if (!isFolder)
                {
                    return null;
                }

                place = place[..Math.Max(place.LastIndexOf('/'), 0)];
                continue;
            }

            place = place.Length == 0 ? name : $"{place}/{name}";
            Found here = isFolder ? Look(place) : default;
            isFolder = here.Kind == TargetKind.Folder;
            if (here.Kind != TargetKind.Symlink)
            {
                continue;
            }

            if (Behind(place, here, out refusal) is not string behind)
            {
                return null;
            }

            place = behind;
            isFolder = true;
        }

        return place;
    }

    /// <summary>The folder that a link leads to; null, and the reason, if it is not followed.</summary>
    private string? Behind(string link, Found here, out string? refusal)
    {
        string shown = target.Display(link);
        refusal = $"Its place is behind the link {shown}, which does not lead to a folder";
        if (here.LinkTarget is not { Length: > 0 } text || --linksLeft < 0)
        {
            return null;
        }

        string parent = link[..Math.Max(link.LastIndexOf('/'), 0)];
        if (Follow(text[0] == '/' ? "" : parent, text, out string? deeper) is not string behind)
        {
            refusal = deeper ?? refusal;
            return null;
        }

        TargetStatus status = target.TryInspect(behind);
        if (status.Kind != TargetKind.Folder)
        {
            return null;
        }

        if (!here.IsTrusted && (here.Owner is null || here.Owner != status.Owner))
        {
            refusal =
                $"Its place is behind the link {shown}, which leads to {target.Display(behind)} and belongs to another user: it is not followed";
            return null;
        }

        return behind;
    }

    private Found Look(string path)
    {
        if (found.TryGetValue(path, out Found known))
        {
            return known;
        }

        TargetStatus before = target.TryInspect(path);
        string? text = before.Kind == TargetKind.Symlink ? ReadLink(path) : null;

        // A link has no other target while it is the same: what was read belongs to its owner.
        if (text is not null && target.TryInspect(path) != before)
        {
            text = null;
        }

        Found now = new(before.Kind, text, before.Owner, before.IsTrusted);
        found.Add(path, now);
        return now;
    }

    private string? ReadLink(string path)
    {
        try
        {
            return target.ReadSymlink(path);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private readonly record struct Found(TargetKind Kind, string? LinkTarget, uint? Owner, bool IsTrusted);
}
