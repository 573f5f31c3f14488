using Restore.Format.Selection;

namespace Restore.Restoring;

/// <summary>
/// Puts the streams of files and folders of Windows in their places, when all files have theirs. A
/// restore makes them as files of an escaped name (<c>file.txt%3Astream</c>), which stay where the
/// file system has no streams.
/// </summary>
internal sealed class NamedStreams(RestorePlan plan, IRestoreTarget target, EntryStates states)
{
    private readonly HashSet<string> moved = new(StringComparer.Ordinal);

    /// <summary>Whether the entry of a path is a stream now, and not a file of another name.</summary>
    public bool Has(string path) => moved.Contains(path);

    /// <summary>Puts the streams that this run restored in their places.</summary>
    /// <param name="report">Takes the failure of one: it stays a file.</param>
    public void PutInPlace(Action<EntryId, Exception> report, CancellationToken cancellationToken)
    {
        if (!target.MayHaveStreams)
        {
            return;
        }

        // The files and folders that have streams, by their paths, and where they are.
        Dictionary<string, string> hosts = new(StringComparer.OrdinalIgnoreCase);
        EntryId[] streams = [.. plan.Pass.Included().Where(IsStream)];
        foreach (EntryId stream in streams)
        {
            hosts[Split(stream).Host] = "";
        }

        if (streams.Length > 0)
        {
            FindHosts(hosts);
        }

        foreach (EntryId stream in streams)
        {
            cancellationToken.ThrowIfCancellationRequested();
            (string host, string name) = Split(stream);
            string place = hosts[host];
            try
            {
                if (place.Length > 0 && target.TryMoveIntoStream(PlaceOf(stream), place, name, plan.Options.Overwrite))
                {
                    moved.Add(plan.Pass.Content.PathText(stream));
                }
            }
            catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
            {
                report(stream, failure);
            }
        }
    }

    private bool IsStream(EntryId entry) =>
        plan.Pass.WritesFile(entry)
        && states.IsInPlace(entry)
        && StreamPath.TrySplit(plan.Pass.Content.PathText(entry), out _, out _);

    private void FindHosts(Dictionary<string, string> hosts)
    {
        foreach (EntryId entry in EntryId.UpTo(plan.Pass.Entries.Count).AsEnumerable())
        {
            string path = plan.Pass.Content.PathText(entry).TrimEnd('\\', '/');
            if (hosts.ContainsKey(path) && IsThere(entry))
            {
                hosts[path] = PlaceOf(entry);
            }
        }
    }

    /// <summary>Whether what is at the place of an entry is that entry.</summary>
    private bool IsThere(EntryId entry) =>
        plan.Pass.Entries[entry] != EntryAction.None
        && (
            !plan.Pass.WritesFile(entry)
            || states.IsInPlace(entry)
            || plan.Pass.Entries[entry] is EntryAction.Keep or EntryAction.Patch
        );

    private (string Host, string Name) Split(EntryId stream) =>
        StreamPath.TrySplit(plan.Pass.Content.PathText(stream), out string host, out string name)
            ? (host, name)
            : throw new InvalidOperationException("The entry is not a stream");

    private string PlaceOf(EntryId entry) => states.PlaceOf(entry) ?? plan.Pass.Entries.TargetPath(entry);
}
