using Restore.Browse.Health;

namespace Restore.Browse.Api;

/// <summary>The backup, its versions, their folders, and the search.</summary>
internal sealed class BackupApi(BrowseSession session)
{
    private const int MaxPage = 1000;

    private readonly EntryIndex tree = session.Tree;

    public IEnumerable<Route<BrowseCall>> Routes() =>
        [
            new("GET", "api/backup", BackupAsync),
            new("GET", "api/changes", ChangesAsync),
            new("GET", "api/folder", FolderAsync),
            new("GET", "api/search", SearchAsync),
        ];

    private Task BackupAsync(BrowseCall call) =>
        call.WriteAsync(
            new BackupAnswer(
                session.Backup.Location,
                session.Targets.Root,
                [.. session.Backup.Versions.Select(Describe)],
                session.Lists.IsReading,
                [.. session.Backup.Issues.Select(issue => $"{issue.Path}: {issue.Reason}")],
                session.Settings.HasFreeReads,
                session.Targets.HasOriginalPlaces
            ),
            WebJson.Default.BackupAnswer
        );

    /// <summary>Which files differ from the version before.</summary>
    private async Task ChangesAsync(BrowseCall call)
    {
        BackupVersion version = call.Version(session.Backup);
        int place = session.Backup.Versions.ToList().IndexOf(version);
        if (place + 1 >= session.Backup.Versions.Count)
        {
            throw new CallException(CallStatus.Conflict, "It is the oldest version: there is none before it");
        }

        await session.Lists.ReadAsync(version, call.Aborted).ConfigureAwait(false);
        await session.Lists.ReadAsync(session.Backup.Versions[place + 1], call.Aborted).ConfigureAwait(false);
        ChangesAnswer answer;
        lock (tree.Gate)
        {
            ChangedFile[] files = [.. session.Changes.FilesOf(version.Index)];
            answer = new ChangesAnswer(
                files.Length,
                [
                    .. files
                        .Take(MaxPage)
                        .Select(file => new ChangedAnswer(
                            file.Node.Number,
                            tree.Paths.PathOf(file.Node),
                            file.Change,
                            file.SizeBytes
                        ))
                        .OrderBy(file => file.Path, StringComparer.Ordinal),
                ]
            );
        }

        await call.WriteAsync(answer, WebJson.Default.ChangesAnswer).ConfigureAwait(false);
    }

    private VersionAnswer Describe(BackupVersion version)
    {
        ListStatus status = session.Lists.StatusOf(version);
        (int Files, long Bytes)? totals = null;
        VersionChange? change = null;
        if (status.State == ListState.Read)
        {
            lock (tree.Gate)
            {
                (totals, change) = (session.Views.TotalsOf(version.Index), session.Changes.Of(version.Index));
            }
        }

        return new VersionAnswer(
            version.Index,
            version.Time,
            status.State,
            status.Entries,
            status.LeftOut,
            totals?.Files,
            totals?.Bytes,
            status.Failure?.Message ?? status.Problem,
            change,
            status.IsPartial
        );
    }

    private async Task FolderAsync(BrowseCall call)
    {
        BackupVersion version = call.Version(session.Backup);
        TreeId? folder = call.Text("id").Length > 0 ? new TreeId(call.Number("id")) : null;
        ListOrder order = Enum.TryParse(call.Text("sort"), ignoreCase: true, out ListOrder given)
            ? given
            : ListOrder.Name;
        bool falls = call.Text("order") == "desc";
        int offset = call.Number("offset", absent: 0);
        int count = call.Number("count", MaxPage, absent: 200);
        await session.Lists.ReadAsync(version, call.Aborted).ConfigureAwait(false);
        FolderAnswer answer;
        lock (tree.Gate)
        {
            VersionView view = session.Views.Of(version.Index);
            if (folder is TreeId asked && (!view.Has(asked) || !session.Views.IsFolder(asked, version.Index)))
            {
                throw new CallException(CallStatus.NotFound, $"Version {version.Index} has no such folder");
            }

            TreeId[] children = session.Views.ChildrenOf(version.Index, folder, order, falls);
            answer = new FolderAnswer(
                folder?.Number ?? WebJson.NoFolder,
                folder is TreeId node ? tree.Paths.PathOf(node) : "",
                Above(folder),
                children.Length,
                offset,
                [.. children.Skip(offset).Take(count).Select(child => Describe(view, child, version.Index))]
            );
        }

        await call.WriteAsync(answer, WebJson.Default.FolderAnswer).ConfigureAwait(false);
    }

    private List<NamedNode> Above(TreeId? folder)
    {
        List<NamedNode> above = [];
        for (; folder is TreeId node && !PathTree.IsRoot(node); folder = tree.Paths.ParentOf(node))
        {
            above.Insert(0, new NamedNode(node.Number, tree.Name(node)));
        }

        return above;
    }

    private ListedEntry Describe(VersionView view, TreeId node, int version)
    {
        EntryVersion? entry = tree.Find(node, version);
        BackupEntryKind kind = entry?.Kind ?? BackupEntryKind.Folder;
        int? files = kind == BackupEntryKind.Folder ? view.Files[node.Number] : null;
        return new ListedEntry(
            node.Number,
            tree.Name(node),
            kind,
            view.Bytes[node.Number],
            files,
            Times.Of(entry),
            kind == BackupEntryKind.File ? MarkOf(node, version) : null
        );
    }

    /// <summary>
    /// A list asks for each of its files, so no path is made while nothing is known to be lost.
    /// </summary>
    private LossMark? MarkOf(TreeId node, int version) =>
        session.Health.Marks.IsEmpty
            ? null
            : session.Health.Marks.Of(tree.Paths.PathOf(node), version, tree.StatesOf(node));

    private async Task SearchAsync(BrowseCall call)
    {
        string text = call.Text("text");
        int count = call.Number("count", MaxPage, absent: 200);
        int version = call.Number("version", absent: 0);
        session.Lists.ReadAll();
        SearchAnswer answer;
        lock (tree.Gate)
        {
            PathSearch search = PathSearch.Run(tree, text, call.Aborted);
            (int read, int left) = Reading.Of(session.Lists);
            answer = new SearchAnswer(
                search.Total,
                read,
                left,
                [.. search.Nodes.Take(count).Select(node => Describe(node, version))]
            );
        }

        await call.WriteAsync(answer, WebJson.Default.SearchAnswer).ConfigureAwait(false);
    }

    /// <summary>
    /// What was found as it is in the version that the page shows; if that does not have it, in the
    /// newest that does.
    /// </summary>
    private FoundEntry Describe(TreeId node, int version)
    {
        List<NodeState> states = tree.StatesOf(node);
        int place = states.FindIndex(state => state.Newest <= version && version <= state.Oldest);
        NodeState shown = states[Math.Max(0, place)];
        string path = tree.Paths.PathOf(node);
        int at = place >= 0 ? version : shown.Newest;
        return new FoundEntry(
            node.Number,
            tree.Paths.ParentOf(node)?.Number ?? WebJson.NoFolder,
            tree.Name(node),
            path,
            shown.Entry.Kind,
            at,
            shown.Entry.SizeBytes,
            Times.Of(shown.Entry),
            states.Sum(state => state.Oldest - state.Newest + 1),
            states.Select(state => state.Entry with { TimeTicks = 0 }).Distinct().Count(),
            shown.Entry.Kind == BackupEntryKind.File ? session.Health.Marks.Of(path, at, states) : null
        );
    }
}
