namespace Restore.Catalog.Locating;

/// <summary>
/// Reads the directories of block volumes: of the volumes that no index describes, or of the
/// described ones, because an index can be wrong.
/// </summary>
internal sealed class DirectorySource : ILocationSource
{
    private readonly SearchState search;
    private readonly VolumeLoader loader;
    private readonly VolumeSet volumes;
    private readonly DirectoryReading reading;
    private readonly ForgottenVolumes forgotten;
    private readonly bool isOfDescribed;
    private bool wasRead;

    private DirectorySource(
        SearchState search,
        VolumeLoader loader,
        VolumeSet volumes,
        RangePolicy ranges,
        bool isOfDescribed
    )
    {
        this.search = search;
        this.loader = loader;
        this.volumes = volumes;
        this.isOfDescribed = isOfDescribed;
        reading = new DirectoryReading(loader, search.Layout.BlockHash, ranges);
        forgotten = new ForgottenVolumes(search);
    }

    public static DirectorySource OfUndescribed(
        SearchState search,
        VolumeLoader loader,
        VolumeSet volumes,
        RangePolicy ranges
    ) => new(search, loader, volumes, ranges, isOfDescribed: false);

    public static DirectorySource OfDescribed(
        SearchState search,
        VolumeLoader loader,
        VolumeSet volumes,
        RangePolicy ranges
    ) => new(search, loader, volumes, ranges, isOfDescribed: true);

    public async Task<bool> TryStepAsync(Action<int, int> progress, CancellationToken cancellationToken)
    {
        Volume[] next = wasRead
            ? forgotten.TakeDue()
            :
            [
                .. volumes.Blocks.Where(volume =>
                    !volume.IsMissing && search.Survey.IsDescribed(volume.Id) == isOfDescribed
                ),
            ];
        if (!wasRead && !isOfDescribed)
        {
            search.Survey.Undescribed = next;
        }

        wasRead = true;
        if (next.Length == 0)
        {
            End();
            return false;
        }

        if (volumes.Indexes.Count == 0)
        {
            search.Report(
                volumes.Blocks[0].FileName,
                "There are no index volumes; "
                    + $"the directories of this and of the other block volumes ({volumes.Blocks.Count:N0} in all) were read instead"
            );
        }

        Log.Surveying(loader.Logger, search.Ask(index => index.UnlocatedBlocks), next.Length);
        int done = 0;
        ParallelOptions parallelism = Parallelism.Of(next, Environment.ProcessorCount, cancellationToken);
        await Parallel
            .ForEachAsync(
                next,
                parallelism,
                async (volume, token) =>
                {
                    await ReadAsync(volume, token).ConfigureAwait(false);
                    progress(Interlocked.Increment(ref done), next.Length);
                }
            )
            .ConfigureAwait(false);
        search.OfferKept();
        End();
        return true;
    }

    private void End()
    {
        if (!isOfDescribed)
        {
            search.EndSurvey();
        }
    }

    private async Task ReadAsync(Volume volume, CancellationToken cancellationToken)
    {
        bool isFind = false;
        try
        {
            isFind = Take(volume, await reading.ReadAsync(volume, cancellationToken).ConfigureAwait(false));
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            search.Survey.TakeUnreadable(volume, failure.ToIssueCode());
            search.Report(
                volume.FileName,
                $"The block volume cannot be read: {failure.Reason()}",
                failure.ToIssueCode()
            );
            return;
        }

        if (volumes.Indexes.Count > 0 && !isOfDescribed)
        {
            search.Report(
                volume.FileName,
                "No index volume describes this block volume; its directory was read instead"
            );
        }
        else if (volumes.Indexes.Count > 0 && isFind)
        {
            search.Report(
                volume.FileName,
                "It has needed blocks that its index volume does not list, or lists with another size"
            );
        }
    }

    private bool Take(Volume volume, ListedBlocks blocks)
    {
        blocks.Order = CopyOrder.OfDirectory(volume);
        search.Survey.TakeDirectory(volume.Id, isWhole: !blocks.IsPartial);
        List<ListedBlocks> listed = [blocks];
        try
        {
            // One lock for the offer and both counts: other volumes are read at the same time, and
            // their finds must not count for this volume.
            (int? revision, bool isFind) = search.Ask(index =>
            {
                int unlocated = index.UnlocatedBlocks;
                return (search.Offer(listed), index.UnlocatedBlocks < unlocated);
            });
            if (revision is int forgottenAt)
            {
                forgotten.Add(volume, forgottenAt);
            }

            return isFind;
        }
        finally
        {
            // The search removes a list that it keeps. The caller owns only what is left.
            listed.ForEach(left => left.Dispose());
        }
    }
}
