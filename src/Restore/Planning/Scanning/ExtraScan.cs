using Restore.Format.Selection;
using Restore.Resume;

namespace Restore.Planning.Scanning;

/// <summary>
/// Finds what is in the target folder and not in the plan. No link is followed. Names are compared
/// without case and Unicode form, so that no file of the plan counts as extra on a target that
/// ignores them; devices, sockets and names that are not sound text are left alone, and so is
/// everything that is mounted there.
/// </summary>
/// <param name="volumes">Names of the volumes of the backup: a target that has one of them is
/// refused.</param>
internal sealed class ExtraScan(RestorePlan plan, IRestoreTarget target, IReadOnlySet<string> volumes)
{
    private readonly List<string> files = [];
    private readonly List<string> folders = [];
    private readonly List<RestoreIssue> staying = [];
    private readonly HashSet<string> notEmpty = [];
    private readonly TargetMounts mounts = new(target);
    private long bytes;

    /// <exception cref="RestoreException">The backup is in the target, or the system does not say
    /// what is mounted there.</exception>
    public ExtraEntries Find(CancellationToken cancellationToken)
    {
        mounts.RequireKnown();
        HashSet<string> kept = Kept();
        Stack<string> open = new(Roots());
        while (open.TryPop(out string? folder))
        {
            // Bytes that are not UTF-8 become the replacement character, so several names can look
            // the same and like a name of the plan. Only the first of them can be the file of the
            // plan. The others stay, because deleting by such a name could hit a wrong file.
            HashSet<string> signs = [];
            foreach (string name in NamesIn(folder))
            {
                cancellationToken.ThrowIfCancellationRequested();
                string path = folder.Length == 0 ? name : $"{folder}/{name}";
                if (
                    name.Contains('\uFFFD', StringComparison.Ordinal) && (!signs.Add(name) || !kept.Contains(Key(path)))
                )
                {
                    Stay(path, "Its name is not text, so it stays");
                }
                else if (!name.StartsWith(RecordNames.Prefix, StringComparison.Ordinal))
                {
                    Look(path, name, kept, open);
                }
            }
        }

        // Only after the walk is it known whether anything is extra. What is in the plan by another
        // path is taken out again.
        LeaveAliases(cancellationToken);
        return new ExtraEntries(plan, files, [.. folders.Where(folder => !notEmpty.Contains(folder))], bytes)
        {
            Staying = staying,
        };
    }

    /// <summary>
    /// Leaves out what is in the plan by another path. If a folder of the target is also mounted at
    /// a second place in the target, an entry that is restored through one path is not in the plan
    /// by the other.
    /// </summary>
    private void LeaveAliases(CancellationToken cancellationToken)
    {
        foreach (EntryId entry in plan.Pass.Included())
        {
            cancellationToken.ThrowIfCancellationRequested();
            mounts.AddPlanned(
                plan.Pass.Entries.TargetPath(entry),
                plan.Pass.Content.Entries[entry].Kind == EntryKind.Folder
            );
        }

        if (!mounts.HasPlanned)
        {
            return;
        }

        HashSet<string> aliases = [];
        files.RemoveAll(path => IsAlias(path, aliases) && TakeBack(path));
        folders.RemoveAll(path => IsAlias(path, aliases));
        foreach (string alias in aliases.Order(StringComparer.Ordinal))
        {
            Stay(
                alias,
                "It is mounted at another place of the target too, and entries of the backup are there: nothing in it is removed"
            );
        }
    }

    private bool IsAlias(string path, HashSet<string> aliases)
    {
        string? alias = mounts.AliasOf(path);
        return alias is not null && (aliases.Add(alias) || true);
    }

    private bool TakeBack(string path)
    {
        bytes -= target.TryInspect(path).SizeBytes;
        return true;
    }

    /// <summary>
    /// The folders that the backup has; nothing outside of them is extra. The target is one of them
    /// only if it stands for a folder with an entry: if it stands for one above several sources, the
    /// backup never had what is beside them.
    /// </summary>
    private List<string> Roots()
    {
        List<string> roots = [];
        foreach (EntryId entry in plan.Pass.Included().Where(IsSelectedFolder))
        {
            roots.Add(plan.Pass.Entries.TargetPath(entry));
        }

        // Sorted, a folder comes before everything in it, so a root inside an earlier one is
        // recognized by walking up from it.
        roots.Sort(StringComparer.Ordinal);
        List<string> topmost = [];
        HashSet<string> known = [];
        foreach (string root in roots)
        {
            string above = root;
            while (above.Length > 0 && !known.Contains(above))
            {
                above = above[..Math.Max(above.LastIndexOf('/'), 0)];
            }

            if (
                !known.Contains(above)
                && known.Add(root)
                && Inspect(root).Kind == TargetKind.Folder
                && !IsBehindMount(root)
            )
            {
                topmost.Add(
                    root.Length == 0 && IsFileSystem(target.Display(root))
                        ? throw IsWholeFileSystem(target.Display(root))
                        : root
                );
            }
        }

        return topmost;
    }

    private bool IsSelectedFolder(EntryId entry) =>
        plan.Pass.Content.Entries[entry].Kind == EntryKind.Folder && !plan.Pass.Content.IsAbove(entry);

    private static bool IsFileSystem(string folder)
    {
        string real =
            Directory.ResolveLinkTarget(folder, returnFinalTarget: true)?.FullName ?? Path.GetFullPath(folder);
        return Path.GetPathRoot(real) == real;
    }

    private static RestoreException IsWholeFileSystem(string folder) =>
        new(
            RestoreErrorCode.TargetUnusable,
            "The target is a whole file system, and the backup is a part of one, so nothing in it is deleted",
            folder
        );

    private void Look(string path, string name, HashSet<string> kept, Stack<string> open)
    {
        bool isKept = kept.Contains(Key(path));
        TargetStatus status = Inspect(path);
        if (mounts.IsOther(status))
        {
            Stay(path, TargetMounts.Reason(status.Kind));
        }
        else if (status.Kind == TargetKind.Folder)
        {
            open.Push(path);
            if (!isKept)
            {
                folders.Add(path);
            }
        }
        else if (!isKept && status.Kind is TargetKind.File or TargetKind.Symlink)
        {
            if (volumes.Contains(name))
            {
                throw new RestoreException(
                    RestoreErrorCode.TargetUnusable,
                    $"The target has volumes of the backup itself, such as {target.Display(path)}, so nothing in it is deleted"
                );
            }

            files.Add(path);
            bytes += status.SizeBytes;
        }
        else if (status.Kind == TargetKind.Other)
        {
            KeepAbove(path);
        }
    }

    /// <summary>
    /// Whether a folder of the selection is behind a mount point below the target; it is named
    /// then.
    /// </summary>
    private bool IsBehindMount(string folder)
    {
        bool isBehind = folder.Length > 0 && mounts.IsOther(target.TryInspect(folder));
        if (isBehind)
        {
            Stay(folder, TargetMounts.Reason(TargetKind.Folder));
        }

        return isBehind;
    }

    private void Stay(string path, string reason, IssueKind kind = IssueKind.Warning)
    {
        staying.Add(new RestoreIssue(kind, target.Display(path), reason));
        KeepAbove(path);
    }

    /// <summary>Keeps the folders above something that stays: they are not empty.</summary>
    private void KeepAbove(string path)
    {
        while (path.LastIndexOf('/') is var slash and > 0 && notEmpty.Add(path[..slash]))
        {
            path = path[..slash];
        }
    }

    private TargetStatus Inspect(string path)
    {
        try
        {
            return target.Inspect(path);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            Stay(path, $"What is here cannot be looked at, so it stays: {failure.Reason()}", IssueKind.Refused);
            return default;
        }
    }

    /// <summary>
    /// Lists a folder. If that fails, the folder is left alone, and the result says that the target
    /// is not as the user asked for.
    /// </summary>
    private IReadOnlyList<string> NamesIn(string folder)
    {
        try
        {
            return target.NamesIn(folder, "");
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            Stay(
                folder,
                $"The folder cannot be listed, so what it has and the backup does not have stays: {failure.Reason()}",
                IssueKind.Refused
            );
            notEmpty.Add(folder);
            return [];
        }
    }

    /// <summary>
    /// The paths of the plan, and of what it leaves out though the backup has it, and the folders
    /// above them.
    /// </summary>
    private HashSet<string> Kept()
    {
        HashSet<string> kept = [];

        // An entry that is not restored, because the file at the target is to stay, is in the
        // backup too.
        IEnumerable<EntryId> staying =
            plan.Options.Keep == KeptAtTarget.None
                ? []
                : EntryId
                    .UpTo(plan.Pass.Entries.Count)
                    .AsEnumerable()
                    .Where(entry => plan.Pass.Entries[entry] == EntryAction.None);
        foreach (
            string place in plan
                .Pass.Included()
                .Concat(staying)
                .Select(plan.Pass.Entries.TargetPath)
                .Concat(plan.LeftOut)
        )
        {
            string path = Key(place);
            while (kept.Add(path) && path.LastIndexOf('/') is var slash and > 0)
            {
                path = path[..slash];
            }
        }

        return kept;
    }

    private static string Key(string path)
    {
        return ComposedText.Of(path).ToUpperInvariant();
    }
}
