using Microsoft.AspNetCore.Http;
using Restore.Web.Http;
using Restore.Web.Index;

namespace Restore.Web.Api;

/// <summary>One entry: in all versions, and in one of them.</summary>
internal sealed class EntryApi(BrowseSession session)
{
    private const int MaxVolumes = 20;
    private const int MaxLosses = 20;

    private readonly PathTree tree = session.Tree;

    public IEnumerable<Route> Routes() => [new("GET", "api/entry", EntryAsync), new("GET", "api/details", DetailsAsync)];

    private async Task EntryAsync(HttpContext context)
    {
        int node = Query.Number(context, "id");
        session.Lists.ReadAll();
        EntryAnswer answer;
        lock (tree.Gate)
        {
            if (node >= tree.Count)
            {
                throw new RequestException(StatusCodes.Status404NotFound, "There is no such entry");
            }

            List<NodeState> states = tree.StatesOf(node);
            List<EntryContent> contents = [.. states.Select(state => state.Entry with { TimeTicks = 0 }).Distinct()];
            (int read, int left) = Reading.Of(session.Lists);
            answer = new EntryAnswer(node, tree.PathOf(node), read, left, [.. states.Select(state => new EntrySpan(
                state.Newest, state.Oldest, state.Entry.Kind, state.Entry.SizeBytes, Times.Of(state.Entry),
                contents.IndexOf(state.Entry with { TimeTicks = 0 })))]);
        }

        await Answer.WriteAsync(context, answer, WebJson.Default.EntryAnswer).ConfigureAwait(false);
    }

    private async Task DetailsAsync(HttpContext context)
    {
        ServedEntry entry = await ServedEntry.FindAsync(session, context).ConfigureAwait(false);
        EntryFilter filter = entry.Filter();
        EntryState? state = await session.Backup.DescribeAsync(entry.Version, entry.Path, context.RequestAborted).ConfigureAwait(false)
            ?? throw new RequestException(StatusCodes.Status404NotFound, $"Version {entry.Version.Index} does not have {entry.Path}");
        RestorePlan plan = await PlanAsync(entry.Version, filter, context.RequestAborted).ConfigureAwait(false);
        MetadataSink sink = new(entry.Path);
        if (!entry.IsFolder)
        {
            await session.Backup.ExportAsync(entry.Version, sink, new ExportOptions { Filter = filter, CacheMaxBytes = 1 << 20 }, context.RequestAborted)
                .ConfigureAwait(false);
        }

        await Answer.WriteAsync(context, Describe(entry, state, plan, sink.Entry), WebJson.Default.DetailsAnswer).ConfigureAwait(false);
    }

    /// <summary>One plan at a time: that of a large folder takes much memory, and whoever moves through a list asks for many.</summary>
    private async Task<RestorePlan> PlanAsync(BackupVersion version, EntryFilter filter, CancellationToken cancellationToken)
    {
        await session.Planning.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await session.Backup.PlanAsync(version, new RestoreOptions { VerifyOnly = true, Filter = filter }, null, cancellationToken)
                .ConfigureAwait(false);
        }
        finally
        {
            session.Planning.Release();
        }
    }

    private static DetailsAnswer Describe(ServedEntry entry, EntryState state, RestorePlan plan, ExportedEntry? exported) => new(
        entry.Path,
        state.Kind,
        state.SizeBytes,
        state.Hash,
        exported?.LastModified ?? state.LastModified,
        exported?.Created,
        exported?.Mode is UnixFileMode mode ? ModeText(mode) : null,
        exported?.OwnerName ?? exported?.UserId?.ToString(System.Globalization.CultureInfo.InvariantCulture),
        exported?.GroupName ?? exported?.GroupId?.ToString(System.Globalization.CultureInfo.InvariantCulture),
        exported?.LinkTarget,
        [.. (exported?.ExtendedAttributes ?? []).Select(attribute => attribute.Key)],
        plan.BytesToFetch,
        plan.Volumes.Count,
        [.. plan.Volumes.Take(MaxVolumes).Select(volume => new VolumeToFetch(volume.Name, volume.SizeBytes, volume.BytesToFetch))],
        [.. plan.Issues.Where(issue => issue.Kind != IssueKind.Warning).Take(MaxLosses).Select(issue => $"{issue.Path}: {issue.Reason}")]);

    /// <summary>As ls writes it: rwxr-xr-x.</summary>
    private static string ModeText(UnixFileMode mode) =>
        string.Concat(Enumerable.Range(0, 9).Select(bit => ((int)mode & (0x100 >> bit)) != 0 ? "rwx"[bit % 3] : '-'));

    /// <summary>Takes the metadata of one entry, and reads no content.</summary>
    private sealed class MetadataSink(string path) : IEntrySink
    {
        public ExportedEntry? Entry { get; private set; }

        public ValueTask TakeAsync(ExportedEntry entry, Stream content, CancellationToken cancellationToken)
        {
            Entry = entry.Entry.Path == path ? entry : Entry;
            return ValueTask.CompletedTask;
        }
    }
}
