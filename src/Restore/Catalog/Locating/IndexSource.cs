namespace Restore.Catalog.Locating;

/// <summary>The index volumes, read concurrently until everything is located or none is left.</summary>
internal sealed class IndexSource(SearchState search, VolumeLoader loader, VolumeSet volumes, RangePolicy ranges) : ILocationSource
{
    private readonly IndexReading reading = new(loader, volumes, search.Layout, ranges);
    private readonly Queue<Volume> unread = new(volumes.Indexes);
    private readonly ForgottenVolumes forgotten = new(search);

    public async Task<bool> TryStepAsync(Action<int, int> progress, CancellationToken cancellationToken)
    {
        bool isFirstTime = unread.Count > 0;
        Volume[] again = isFirstTime ? [] : forgotten.TakeDue();
        if (!isFirstTime && again.Length == 0)
        {
            return false;
        }

        int done = isFirstTime ? volumes.Indexes.Count - unread.Count : 0;
        int total = isFirstTime ? volumes.Indexes.Count : again.Length;
        Log.ReadingIndexes(loader.Logger, isFirstTime ? unread.Count : again.Length);
        IEnumerable<Volume> next = isFirstTime ? TakeWhileNeeded() : again;
        await Parallel.ForEachAsync(next, Parallelism.OfIndexes(volumes.Indexes, loader.Store.IsLocal, cancellationToken), async (volume, token) =>
        {
            await ReadAsync(volume, token).ConfigureAwait(false);
            progress(Interlocked.Increment(ref done), total);
        }).ConfigureAwait(false);
        search.OfferKept();
        return true;
    }

    private IEnumerable<Volume> TakeWhileNeeded()
    {
        while (!search.IsSettled && unread.TryDequeue(out Volume? next))
        {
            yield return next;
        }
    }

    private async Task ReadAsync(Volume volume, CancellationToken cancellationToken)
    {
        try
        {
            int missing = search.Ask(index => index.MissingBlocklists);
            using IndexContents contents = await reading.ReadAsync(volume, Take, missing, search.IsMissingBlocklist, cancellationToken)
                .ConfigureAwait(false);
            contents.Defects.ForEach(defect => search.Report(volume.FileName, $"A part of the index volume cannot be used: {defect}"));
            if (contents.FurtherDefects > 0)
            {
                search.Report(volume.FileName, $"{contents.FurtherDefects:N0} further parts of the index volume cannot be used");
            }

            Take(contents);
            if (contents.BrokenBy is string reason)
            {
                search.Survey.TakeBroken(volume, reason);
            }

            void Take(IndexContents part)
            {
                if (search.Take(volume, part) is int revision)
                {
                    forgotten.Add(volume, revision);
                }
            }
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            search.Survey.TakeBroken(volume, failure.Reason());
            search.Report(
                volume.FileName, $"The index volume cannot be used: {failure.Reason()}; block volumes are searched instead", failure.ToIssueCode());
        }
    }
}

/// <summary>How many volumes are read at the same time: each is in memory as a whole.</summary>
internal static class Parallelism
{
    private const int RemoteReads = 16;
    private const long MaxBytesInFlight = 256 << 20;

    /// <summary>
    /// Index volumes are small, so latency matters for a remote store: at 50 ms a request, 16 at a time read 1,000 in 3.1 s.
    /// Large ones are limited by the memory budget.
    /// </summary>
    public static ParallelOptions OfIndexes(IReadOnlyList<Volume> indexes, bool isLocal, CancellationToken cancellationToken) =>
        Of(indexes, Math.Max(Environment.ProcessorCount, isLocal ? 1 : RemoteReads), cancellationToken);

    public static ParallelOptions Of(IReadOnlyList<Volume> volumes, int most, CancellationToken cancellationToken)
    {
        long largestBytes = volumes.Select(volume => volume.SizeBytes).Append(1).Max();
        return new() { MaxDegreeOfParallelism = (int)Math.Clamp(MaxBytesInFlight / largestBytes, 1, most), CancellationToken = cancellationToken };
    }
}

/// <summary>
/// Volumes whose lists did not fit into memory. Each is read again only after more blocks became needed. So a block that is nowhere does not cause
/// endless reading.
/// </summary>
internal sealed class ForgottenVolumes(SearchState search)
{
    private readonly Dictionary<Volume, int> revisions = [];
    private readonly Lock gate = new();

    /// <summary>Records that the lists of a volume were dropped, with the <see cref="BlockIndex.Revision"/> at that time.</summary>
    public void Add(Volume volume, int revision)
    {
        lock (gate)
        {
            revisions[volume] = revision;
        }
    }

    /// <summary>Returns the volumes worth reading again: none while blocklists can be fetched, since those add more needed blocks.</summary>
    public Volume[] TakeDue()
    {
        int now = search.Ask(index => index.UnlocatedBlocks > 0 && index.ListFetchableBlocklists().Length == 0 ? index.Revision : 0);
        lock (gate)
        {
            Volume[] due = [.. revisions.Where(volume => volume.Value < now).Select(volume => volume.Key).OrderBy(volume => volume.Id.Value)];
            Array.ForEach(due, volume => revisions.Remove(volume));
            return due;
        }
    }
}
