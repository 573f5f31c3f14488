using Restore.Browse.Health;

namespace Restore.Browse.Api;

/// <summary>One entry: in all versions, and in one of them.</summary>
internal sealed class EntryApi(BrowseSession session)
{
    private const int MaxVolumes = 20;
    private const int MaxLosses = 20;
    private const int MaxPathLength = 1 << 15;

    private readonly EntryIndex tree = session.Tree;

    public IEnumerable<Route<BrowseCall>> Routes() =>
        [
            new("GET", "api/entry", EntryAsync),
            new("GET", "api/details", DetailsAsync),
            new("GET", "api/cost", CostAsync),
            new("GET", "api/find", FindAsync),
        ];

    private async Task EntryAsync(BrowseCall call)
    {
        TreeId node = new(call.Number("id"));
        session.Lists.ReadAll();
        EntryAnswer answer;
        lock (tree.Gate)
        {
            if (node.Number >= tree.Count)
            {
                throw new CallException(CallStatus.NotFound, "There is no such entry");
            }

            List<NodeState> states = tree.StatesOf(node);
            List<EntryVersion> contents = [.. states.Select(state => state.Entry with { TimeTicks = 0 }).Distinct()];
            (int read, int left) = Reading.Of(session.Lists);
            answer = new EntryAnswer(
                node.Number,
                tree.Paths.PathOf(node),
                read,
                left,
                [
                    .. states.Select(state => new EntrySpan(
                        state.Newest,
                        state.Oldest,
                        state.Entry.Kind,
                        state.Entry.SizeBytes,
                        Times.Of(state.Entry),
                        contents.IndexOf(state.Entry with { TimeTicks = 0 })
                    )),
                ]
            );
        }

        await call.WriteAsync(answer, WebJson.Default.EntryAnswer).ConfigureAwait(false);
    }

    private async Task DetailsAsync(BrowseCall call)
    {
        ServedEntry entry = await ServedEntry.FindAsync(session, call).ConfigureAwait(false);
        ExportedEntry? exported = await session
            .Trees.UseAsync(
                entry.Version,
                async opened =>
                    await opened
                        .ReadMetadataAsync([entry.Node], call.Aborted)
                        .SingleAsync(call.Aborted)
                        .ConfigureAwait(false),
                call.Aborted
            )
            .ConfigureAwait(false);
        await call.WriteAsync(Describe(entry, exported), WebJson.Default.DetailsAnswer).ConfigureAwait(false);
    }

    private DetailsAnswer Describe(ServedEntry entry, ExportedEntry? exported)
    {
        (long bytes, int? files) = (entry.Content?.SizeBytes ?? 0, null);
        if (entry.IsFolder)
        {
            lock (tree.Gate)
            {
                VersionView view = session.Views.Of(entry.Version.Index);
                (bytes, files) = (view.Bytes[entry.Node.Number], view.Files[entry.Node.Number]);
            }
        }

        return new DetailsAnswer(
            entry.Path,
            entry.Content?.Kind ?? BackupEntryKind.Folder,
            bytes,
            files,
            exported?.Entry.Hash is { Length: > 0 } hash ? hash : null,
            exported?.LastModified ?? Times.Of(entry.Content),
            exported?.Created,
            exported?.Mode is UnixFileMode mode ? ModeText(mode) : null,
            exported?.OwnerName ?? exported?.UserId?.ToString(CultureInfo.InvariantCulture),
            exported?.GroupName ?? exported?.GroupId?.ToString(CultureInfo.InvariantCulture),
            exported?.LinkTarget,
            [.. (exported?.ExtendedAttributes ?? []).Select(attribute => attribute.Key)],
            exported is null
        );
    }

    /// <summary>
    /// What it takes to fetch an entry. A plan reads the list again, so the page asks for it last.
    /// </summary>
    private async Task CostAsync(BrowseCall call)
    {
        ServedEntry entry = await ServedEntry.FindAsync(session, call).ConfigureAwait(false);
        RestorePlan plan = await PlanAsync(entry.Version, entry.Filter(), call.Aborted).ConfigureAwait(false);
        session.Health.Marks.Add(plan.Issues, entry.Version);
        CostAnswer answer = new(
            plan.BytesFetched,
            plan.BytesToFetch,
            plan.Volumes.Count,
            session.CostOf(plan),
            [
                .. plan
                    .Volumes.Take(MaxVolumes)
                    .Select(volume => new VolumeToFetch(volume.Name, volume.SizeBytes, volume.BytesToFetch)),
            ],
            [
                .. plan
                    .Issues.Where(issue => issue.Kind != IssueKind.Warning)
                    .Take(MaxLosses)
                    .Select(issue => $"{issue.Path}: {issue.Reason}"),
            ],
            MarkOf(entry)
        );
        await call.WriteAsync(answer, WebJson.Default.CostAnswer).ConfigureAwait(false);
    }

    private LossMark? MarkOf(ServedEntry entry)
    {
        lock (tree.Gate)
        {
            return session.Health.Marks.Of(entry.Path, entry.Version.Index, tree.StatesOf(entry.Node));
        }
    }

    private async Task FindAsync(BrowseCall call)
    {
        BackupVersion version = call.Version(session.Backup);
        string path = call.Text("path", MaxPathLength);
        await session.Lists.ReadAsync(version, call.Aborted).ConfigureAwait(false);
        FindAnswer answer;
        lock (tree.Gate)
        {
            answer = NodeOf(path, session.Views.Of(version.Index)) is TreeId node
                ? new FindAnswer(node.Number, tree.Paths.ParentOf(node)?.Number ?? WebJson.NoFolder)
                : throw new CallException(CallStatus.NotFound, $"Version {version.Index} does not have {path}");
        }

        await call.WriteAsync(answer, WebJson.Default.FindAnswer).ConfigureAwait(false);
    }

    /// <summary>
    /// What a path means in another spelling, if no entry has it as it is written: the first one
    /// that is taken is the folder, of all that is in it. It has no wildcards, so that a path that
    /// the version does not have is not found as another entry.
    /// </summary>
    private TreeId? NodeOf(string path, VersionView view)
    {
        if (path.Length == 0 || (tree.Paths.Find(path) is TreeId node && view.Has(node)))
        {
            return path.Length == 0 ? null : tree.Paths.Find(path);
        }

        EntryFilter filter = EntryFilter.Parse(['@' + path], [], namesTakeContent: false);
        return tree
            .Nodes.Where(node => view.Has(node) && !PathTree.IsRoot(node))
            .Select(node => (TreeId?)node)
            .FirstOrDefault(node =>
                IsTaken(filter, tree.Paths.PathOf(node!.Value), tree.Paths.SeparatorOf(node.Value))
            );
    }

    private static bool IsTaken(EntryFilter filter, string path, char separator) =>
        filter.Matches(path) || filter.Matches(path + separator);

    /// <summary>
    /// Makes one plan at a time: the plan of a large folder takes much memory, and a user who moves
    /// through a list asks for many.
    /// </summary>
    private async Task<RestorePlan> PlanAsync(
        BackupVersion version,
        EntryFilter filter,
        CancellationToken cancellationToken
    )
    {
        await session.Planning.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await session
                .Backup.PlanAsync(
                    version,
                    new RestoreOptions { VerifyOnly = true, Filter = filter },
                    null,
                    cancellationToken
                )
                .ConfigureAwait(false);
        }
        finally
        {
            session.Planning.Release();
        }
    }

    private static string ModeText(UnixFileMode mode) =>
        string.Concat(Enumerable.Range(0, 9).Select(bit => ((int)mode & (0x100 >> bit)) != 0 ? "rwx"[bit % 3] : '-'));
}
