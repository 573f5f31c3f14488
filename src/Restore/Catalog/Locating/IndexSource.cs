namespace Restore.Catalog.Locating;

/// <summary>
/// The index volumes, read concurrently until everything is located or none is left.
/// </summary>
internal sealed class IndexSource(SearchState search, VolumeLoader loader, VolumeSet volumes, RangePolicy ranges)
    : ILocationSource
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
        await Parallel
            .ForEachAsync(
                next,
                Parallelism.OfIndexes(volumes.Indexes, loader.Store.IsLocal, cancellationToken),
                async (volume, token) =>
                {
                    await ReadAsync(volume, token).ConfigureAwait(false);
                    progress(Interlocked.Increment(ref done), total);
                }
            )
            .ConfigureAwait(false);
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
            using IndexContents contents = await reading
                .ReadAsync(volume, Take, missing, search.IsMissingBlocklist, cancellationToken)
                .ConfigureAwait(false);
            contents.Defects.ForEach(defect =>
                search.Report(volume.FileName, $"A part of the index volume cannot be used: {defect}")
            );
            if (contents.FurtherDefects > 0)
            {
                search.Report(
                    volume.FileName,
                    $"{contents.FurtherDefects:N0} further parts of the index volume cannot be used"
                );
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
            search.Survey.TakeBroken(volume, failure.Reason(), failure.ToIssueCode());
            search.Report(
                volume.FileName,
                $"The index volume cannot be used: {failure.Reason()}; block volumes are searched instead",
                failure.ToIssueCode()
            );
        }
    }
}

internal delegate bool BlocklistFilter(ReadOnlySpan<byte> hash, long sizeBytes);
