namespace Restore.Planning.Scanning;

/// <summary>
/// What is mounted in a target: other file systems, and folders and files of the same one that are
/// bound there. Nothing behind a mount point belongs to the target, and what is bound to another
/// place of the target is there by two paths.
/// </summary>
internal sealed class TargetMounts(IRestoreTarget target)
{
    private readonly TargetStatus root = target.TryInspect("");

    // By file system and number: what the plan has behind mount points, and folders that are above
    // it there.
    private readonly HashSet<(ulong FileSystem, ulong Number)> planned = [];
    private readonly HashSet<string> seen = [];
    private readonly Dictionary<string, string?> aliases = [];

    /// <summary>Whether the plan has something behind a mount point.</summary>
    public bool HasPlanned => planned.Count > 0;

    public static string Reason(TargetKind kind) =>
        kind == TargetKind.Folder
            ? "Another file system or folder is mounted here; what it has and the backup does not have stays"
            : "Another file is mounted here, so it stays";

    /// <exception cref="RestoreException">The system does not say what is mounted in the
    /// target.</exception>
    public void RequireKnown()
    {
        if (!target.KnowsMounts)
        {
            throw new RestoreException(
                RestoreErrorCode.TargetUnusable,
                "The system does not say what is mounted in the target, so nothing in it is deleted: the kernel is older than 5.8, and /proc is not there",
                target.Display("")
            );
        }
    }

    /// <summary>
    /// Whether something is not on the mount of the target. The file system counts too: a subvolume
    /// has a number of its own, without being mounted.
    /// </summary>
    public bool IsOther(in TargetStatus status) =>
        status.Kind != TargetKind.Nothing
        && (
            status.Mount != root.Mount
            || (status.Kind == TargetKind.Folder && root.FileSystem != 0 && status.FileSystem != root.FileSystem)
        );

    /// <summary>Takes note of an entry of the plan, if it is behind a mount point.</summary>
    public void AddPlanned(string path, bool isFolder)
    {
        if (!isFolder)
        {
            AddIfOther(path);
        }

        for (
            string folder = isFolder ? path : Above(path);
            folder.Length > 0 && seen.Add(folder);
            folder = Above(folder)
        )
        {
            AddIfOther(folder);
        }
    }

    /// <summary>
    /// The topmost folder above a path, or the path itself, that the plan has behind a mount point
    /// by another path; null if no such folder exists.
    /// </summary>
    public string? AliasOf(string path)
    {
        if (aliases.TryGetValue(path, out string? known))
        {
            return known;
        }

        // From the top down: what is below an alias belongs to it, and only the topmost folder is
        // named.
        string? alias = path.Length == 0 ? null : AliasOf(Above(path));
        if (alias is null)
        {
            TargetStatus status = path.Length == 0 ? root : target.TryInspect(path);
            alias = planned.Contains((status.FileSystem, status.Number)) ? path : null;
        }

        aliases[path] = alias;
        return alias;
    }

    private static string Above(string path) => path[..Math.Max(path.LastIndexOf('/'), 0)];

    private void AddIfOther(string path)
    {
        TargetStatus status = target.TryInspect(path);
        if (status.Number != 0 && IsOther(status))
        {
            planned.Add((status.FileSystem, status.Number));
        }
    }
}
