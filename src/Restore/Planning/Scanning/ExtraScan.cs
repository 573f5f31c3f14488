using Restore.Format.Selection;
using Restore.Resume;

namespace Restore.Planning.Scanning;

/// <summary>
/// Finds what is in the target folder and not in the plan. No link is followed. Names are compared without case and Unicode form, so that no file of the plan
/// counts as extra on a target that ignores them; devices, sockets and names that are not sound text are left alone, and so are other file systems that are
/// mounted there (on Linux).
/// </summary>
/// <param name="volumes">Names of the volumes of the backup: a target that has one of them is refused.</param>
internal sealed class ExtraScan(RestorePlan plan, IRestoreTarget target, IReadOnlySet<string> volumes)
{
    private readonly List<string> files = [];
    private readonly List<string> folders = [];
    private readonly List<RestoreIssue> staying = [];
    private long bytes;

    /// <exception cref="RestoreException">The backup is in the target.</exception>
    public ExtraEntries Find(CancellationToken cancellationToken)
    {
        HashSet<string> kept = Kept();
        Stack<(string Folder, ulong FileSystem)> open = new(Roots().Select(root => (root, target.TryInspect(root).FileSystem)));
        while (open.TryPop(out (string Folder, ulong FileSystem) next))
        {
            string folder = next.Folder;
            HashSet<string> signs = [];
            foreach (string name in NamesIn(folder))
            {
                cancellationToken.ThrowIfCancellationRequested();
                string path = folder.Length == 0 ? name : $"{folder}/{name}";
                if (name.Contains('\uFFFD', StringComparison.Ordinal) && (!signs.Add(name) || !kept.Contains(Key(path))))
                {
                    Stay(path, "Its name is not text, so it stays");
                }
                else if (!name.StartsWith(RecordNames.Prefix, StringComparison.Ordinal))
                {
                    Look(path, name, kept, next.FileSystem, open);
                }
            }
        }

        return new ExtraEntries(plan, files, folders, bytes) { Staying = staying };
    }

    /// <summary>
    /// The folders that the selection maps to; nothing outside of them is extra. The whole backup maps to the target folder, unless the folders above its
    /// sources are kept too.
    /// </summary>
    private List<string> Roots()
    {
        List<string> roots = plan is { SelectsAll: true, Options.DontCompressRestorePaths: false } ? [""] : [];
        foreach (EntryId entry in plan.Pass.Included().Where(entry => plan.Pass.Content.Entries[entry].Kind == EntryKind.Folder))
        {
            roots.Add(plan.Pass.Entries.TargetPath(entry));
        }

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

            if (!known.Contains(above) && known.Add(root) && target.TryInspect(root).Kind == TargetKind.Folder)
            {
                topmost.Add(root.Length == 0 && IsFileSystem(target.Display(root)) ? throw IsWholeFileSystem(target.Display(root)) : root);
            }
        }

        return topmost;
    }

    private static bool IsFileSystem(string folder)
    {
        string real = Directory.ResolveLinkTarget(folder, returnFinalTarget: true)?.FullName ?? Path.GetFullPath(folder);
        return Path.GetPathRoot(real) == real;
    }

    private static RestoreException IsWholeFileSystem(string folder) => new(
        RestoreErrorCode.TargetUnusable, "The target is a whole file system, and the backup is a part of one, so nothing in it is deleted", folder);

    private void Look(string path, string name, HashSet<string> kept, ulong fileSystem, Stack<(string Folder, ulong FileSystem)> open)
    {
        bool isKept = kept.Contains(Key(path));
        TargetStatus status = target.TryInspect(path);
        if (status.Kind == TargetKind.Folder && status.FileSystem != fileSystem)
        {
            Stay(path, "Another file system is mounted here; what it has and the backup does not have stays");
        }
        else if (status.Kind == TargetKind.Folder)
        {
            open.Push((path, fileSystem));
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
                    $"The target has volumes of the backup itself, such as {target.Display(path)}, so nothing in it is deleted");
            }

            files.Add(path);
            bytes += status.SizeBytes;
        }
    }

    private void Stay(string path, string reason) => staying.Add(new RestoreIssue(IssueKind.Warning, target.Display(path), reason));

    /// <summary>What cannot be listed is left alone.</summary>
    private IReadOnlyList<string> NamesIn(string folder)
    {
        try
        {
            return target.NamesIn(folder, "");
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    /// <summary>The paths of the plan and the folders above them.</summary>
    private HashSet<string> Kept()
    {
        HashSet<string> kept = [];

        // An entry that is not restored, because the file at the target is to stay, is in the backup too.
        IEnumerable<EntryId> staying = plan.Options.Keep == KeptAtTarget.None
            ? [] : EntryId.UpTo(plan.Pass.Entries.Count).AsEnumerable().Where(entry => plan.Pass.Entries[entry] == EntryAction.None);
        foreach (EntryId entry in plan.Pass.Included().Concat(staying))
        {
            string path = Key(plan.Pass.Entries.TargetPath(entry));
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
