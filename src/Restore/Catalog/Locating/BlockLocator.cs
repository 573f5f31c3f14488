using Restore.Memory;
using Restore.Volumes;

namespace Restore.Catalog.Locating;

/// <summary>Fetches blocks by their number into memory, verified, from where the block table says they are; those that cannot be had are left out.</summary>
internal delegate Task BlockFetcher(IReadOnlyList<BlockId> blocks, Action<BlockId, ReadOnlyMemory<byte>> onBlock, CancellationToken cancellationToken);

/// <summary>
/// Finds out in which volume each needed block is, at the least cost first: what the catalog knows, then index volumes until all is located, then the
/// directories of block volumes that no index describes, then those of all others. Remembers what it has read: asked again after a block
/// was not where it should be, it goes on from there.
/// </summary>
internal sealed class BlockLocator(
    VolumeLoader loader, VolumeSet volumes, ICatalog catalog, BlockNeeds needs, RangePolicy ranges, BlockFetcher fetchBlocks, Action<RestoreIssue> onIssue)
{
    // Blocks that an index lists and that nothing asks for yet, while blocklists are still missing: 36 bytes each, so 3.7 million blocks.
    private const int MaxKeptBytes = 128 << 20;

    private const int RemoteIndexReads = 16;
    private const long MaxIndexBytesInFlight = 256 << 20;

    private readonly IndexReading reading = new(loader, volumes, needs.Content.Layout, ranges);
    private readonly Queue<Volume> unreadIndexes = new(volumes.Indexes);
    private readonly List<Volume> forgottenIndexes = [];
    private readonly HashSet<VolumeId> describedVolumes = [];
    private readonly HashSet<VolumeId> surveyedVolumes = [];
    private readonly List<ListedBlocks> kept = [];
    private readonly List<(string Name, ListedBlocks Blocks)> absent = [];
    private readonly Lock gate = new();
    private long keptBytes;
    private int indexesOfThisLayout;
    private int indexesOfAnotherLayout;
    private bool catalogWasAsked;

    /// <summary>Locates all that is needed, as far as it can be; what is left is nowhere in the folder.</summary>
    public async Task LocateAsync(Action<int, int> progress, CancellationToken cancellationToken)
    {
        if (!catalogWasAsked)
        {
            catalogWasAsked = true;
            await catalog.LocateAsync(needs, onIssue, cancellationToken).ConfigureAwait(false);
        }

        try
        {
            while (!needs.IsSettled && await TakeStepAsync(progress, cancellationToken).ConfigureAwait(false))
            {
            }

            RequireOneLayout();
        }
        finally
        {
            // Blocks that something asked for were taken note of; the rest was kept for blocklists to come, and none will.
            NoteLost();
            kept.ForEach(blocks => blocks.Dispose());
            kept.Clear();
            keptBytes = 0;
        }
    }

    /// <summary>
    /// A list whose block size or hashes are not the volumes' finds next to nothing: that is no loss of data, but a list that cannot be used.
    /// </summary>
    private void RequireOneLayout()
    {
        if (!needs.IsSettled && indexesOfAnotherLayout > 0 && indexesOfThisLayout == 0)
        {
            BackupVersion version = needs.Content.Version;
            throw new RestoreException(
                RestoreErrorCode.FileListUnusable,
                $"The file list of version {version.Index} cannot be used: "
                + "its manifest gives another block size or other hash algorithms than every index volume",
                version.FileListName);
        }
    }

    /// <summary>Takes the cheapest step that is left.</summary>
    private async Task<bool> TakeStepAsync(Action<int, int> progress, CancellationToken cancellationToken) =>
        await ReadIndexesAsync(progress, cancellationToken).ConfigureAwait(false)
        || await FetchBlocklistsAsync(cancellationToken).ConfigureAwait(false)
        || await ReadForgottenAsync(cancellationToken).ConfigureAwait(false)
        || await SurveyAsync(progress, cancellationToken).ConfigureAwait(false);

    /// <summary>Reads index volumes side by side until all is located or none is left.</summary>
    /// <returns>Whether any was read.</returns>
    private async Task<bool> ReadIndexesAsync(Action<int, int> progress, CancellationToken cancellationToken)
    {
        if (unreadIndexes.Count == 0)
        {
            return false;
        }

        int done = volumes.Indexes.Count - unreadIndexes.Count;
        Log.ReadingIndexes(loader.Logger, unreadIndexes.Count);
        await Parallel.ForEachAsync(TakeWhileNeeded(), IndexParallelism(cancellationToken), async (volume, token) =>
        {
            await ReadIndexAsync(volume, token).ConfigureAwait(false);
            progress(Interlocked.Increment(ref done), volumes.Indexes.Count);
        }).ConfigureAwait(false);
        OfferKept();
        return true;
    }

    private IEnumerable<Volume> TakeWhileNeeded()
    {
        while (true)
        {
            Volume? next;
            lock (gate)
            {
                if (needs.IsSettled || !unreadIndexes.TryDequeue(out next))
                {
                    yield break;
                }
            }

            yield return next;
        }
    }

    private async Task ReadIndexAsync(Volume volume, CancellationToken cancellationToken)
    {
        try
        {
            Take(volume, await reading.ReadIndexAsync(volume, CountMissingBlocklists(), IsMissingBlocklist, cancellationToken).ConfigureAwait(false));
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            Report(volume, $"The index volume cannot be used: {failure.Reason()}; block volumes are searched instead", failure.ToIssueCode());
        }
    }

    private int CountMissingBlocklists()
    {
        lock (gate)
        {
            return needs.MissingBlocklists;
        }
    }

    private bool IsMissingBlocklist(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        lock (gate)
        {
            return needs.IsMissingBlocklist(hash, sizeBytes);
        }
    }

    private void Take(Volume index, IndexContents contents)
    {
        using IndexContents owned = contents;
        contents.Defects.ForEach(defect => Report(index, $"A part of the index volume cannot be used: {defect}"));
        lock (gate)
        {
            indexesOfThisLayout += contents.Layout == needs.Content.Layout ? 1 : 0;
            indexesOfAnotherLayout += contents.Layout is not null && contents.Layout != needs.Content.Layout ? 1 : 0;
            foreach ((byte[] hash, PooledBuffer content) in contents.Blocklists)
            {
                needs.AcceptBlocklist(needs.Content.Blocks.Find(hash, content.Length), content.Span);
            }

            foreach (ListedBlocks blocks in contents.Volumes)
            {
                describedVolumes.Add(blocks.Volume);
                blocks.Order = CopyOrder.OfIndex(index);
                blocks.OfferTo(needs);
            }

            Keep(index, contents.Volumes);
            KeepAbsent(contents);
        }
    }

    /// <summary>While blocklists are missing, a block that nothing asks for yet may be asked for later.</summary>
    private void Keep(Volume source, List<ListedBlocks> listed)
    {
        if (needs.MissingBlocklists == 0 || listed.Sum(blocks => blocks.Count) == 0)
        {
            return;
        }

        if (keptBytes + listed.Sum(blocks => (long)blocks.SizeBytes) > MaxKeptBytes)
        {
            forgottenIndexes.Add(source);
            return;
        }

        keptBytes += listed.Sum(blocks => (long)blocks.SizeBytes);
        kept.AddRange(listed);
        listed.Clear();
    }

    private void KeepAbsent(IndexContents contents)
    {
        int bytes = contents.AbsentVolumes.Sum(volume => volume.Blocks.SizeBytes);
        if (keptBytes + bytes <= MaxKeptBytes)
        {
            keptBytes += bytes;
            absent.AddRange(contents.AbsentVolumes);
            contents.AbsentVolumes.Clear();
        }
    }

    /// <summary>For the report: which absent volumes the blocks that are nowhere were in.</summary>
    private void NoteLost()
    {
        foreach ((string name, ListedBlocks blocks) in absent)
        {
            blocks.NoteLostWith(name, needs);
            blocks.Dispose();
        }

        absent.Clear();
    }

    private void OfferKept() => kept.ForEach(blocks => blocks.OfferTo(needs));

    /// <summary>Blocklists that no index carries are blocks like others: those that are located are fetched.</summary>
    /// <returns>Whether any was fetched or can be looked for elsewhere.</returns>
    private async Task<bool> FetchBlocklistsAsync(CancellationToken cancellationToken)
    {
        BlockId[] located = [.. needs.ListMissingBlocklists().Where(block => !needs.Locations.VolumeOf(block).IsNone)];
        if (located.Length == 0)
        {
            return false;
        }

        Log.FetchingBlocklists(loader.Logger, located.Length);
        HashSet<BlockId> failed = [.. located];
        await fetchBlocks(
            located,
            (block, bytes) =>
            {
                failed.Remove(block);
                needs.AcceptBlocklist(block, bytes.Span);
            },
            cancellationToken).ConfigureAwait(false);
        foreach (BlockId block in failed)
        {
            needs.GiveUpVolume(block);
        }

        OfferKept();
        return true;
    }

    /// <summary>Reads again the volumes whose lists did not fit into memory the first time, now that it is known which blocks are asked for.</summary>
    private async Task<bool> ReadForgottenAsync(CancellationToken cancellationToken)
    {
        if (forgottenIndexes.Count == 0 || needs.UnlocatedBlocks == 0)
        {
            return false;
        }

        Volume[] again = [.. forgottenIndexes];
        forgottenIndexes.Clear();
        await Parallel.ForEachAsync(again, Parallelism(cancellationToken), async (volume, token) =>
        {
            if (volume.Name.Kind == Format.VolumeKind.Index)
            {
                await ReadIndexAsync(volume, token).ConfigureAwait(false);
            }
            else
            {
                await SurveyAsync(volume, token).ConfigureAwait(false);
            }
        }).ConfigureAwait(false);
        return true;
    }

    /// <summary>Reads the directories of block volumes: of those that no index describes, and when there are none left, of the others.</summary>
    private async Task<bool> SurveyAsync(Action<int, int> progress, CancellationToken cancellationToken)
    {
        List<Volume> candidates = [.. volumes.Blocks.Where(volume => !surveyedVolumes.Contains(volume.Id))];
        List<Volume> undescribed = [.. candidates.Where(volume => !describedVolumes.Contains(volume.Id))];
        candidates = undescribed.Count > 0 ? undescribed : candidates;
        if (candidates.Count == 0)
        {
            return false;
        }

        if (volumes.Indexes.Count == 0)
        {
            string reason = "There are no index volumes; "
                + $"the directories of this and of the other block volumes ({candidates.Count:N0} in all) were read instead";
            onIssue(new RestoreIssue(IssueKind.Warning, candidates[0].FileName, reason));
        }

        Log.Surveying(loader.Logger, needs.UnlocatedBlocks, candidates.Count);
        int done = 0;
        await Parallel.ForEachAsync(candidates, Parallelism(cancellationToken), async (volume, token) =>
        {
            await SurveyAsync(volume, token).ConfigureAwait(false);
            progress(Interlocked.Increment(ref done), candidates.Count);
        }).ConfigureAwait(false);
        OfferKept();
        return true;
    }

    private async Task SurveyAsync(Volume volume, CancellationToken cancellationToken)
    {
        ListedBlocks? blocks = null;
        try
        {
            blocks = await reading.ReadDirectoryAsync(volume, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            Report(volume, $"The block volume cannot be read: {failure.Reason()}", failure.ToIssueCode());
        }

        bool isFind;
        lock (gate)
        {
            surveyedVolumes.Add(volume.Id);
            int unlocated = needs.UnlocatedBlocks;
            if (blocks is not null)
            {
                List<ListedBlocks> listed = [blocks];
                blocks.Order = CopyOrder.OfDirectory(volume);
                blocks.OfferTo(needs);
                Keep(volume, listed);
                listed.ForEach(left => left.Dispose());
            }

            isFind = needs.UnlocatedBlocks < unlocated;
        }

        ReportFind(volume, isFind);
    }

    private void ReportFind(Volume volume, bool isFind)
    {
        if (volumes.Indexes.Count > 0 && !describedVolumes.Contains(volume.Id))
        {
            Report(volume, "No index volume describes this block volume; its directory was read instead");
        }
        else if (volumes.Indexes.Count > 0 && isFind)
        {
            Report(volume, "It has needed blocks that its index volume does not list, or lists with another size");
        }
    }

    private void Report(Volume volume, string reason, IssueCode code = IssueCode.None)
    {
        lock (gate)
        {
            onIssue(new RestoreIssue(IssueKind.Warning, volume.FileName, reason) { Code = code });
        }
    }

    /// <summary>
    /// Index volumes are small, so it is latency that counts when they come from afar: at 50 ms a request, 16 at a time are 1,000 in 3.1 s.
    /// Of large ones no more than fit into the budget.
    /// </summary>
    private ParallelOptions IndexParallelism(CancellationToken cancellationToken)
    {
        long byMemory = MaxIndexBytesInFlight / Math.Max(1, volumes.Indexes.Max(volume => volume.SizeBytes));
        int afar = loader.Store.IsLocal ? 1 : (int)Math.Min(RemoteIndexReads, byMemory);
        return new() { MaxDegreeOfParallelism = Math.Max(Environment.ProcessorCount, afar), CancellationToken = cancellationToken };
    }

    private static ParallelOptions Parallelism(CancellationToken cancellationToken) =>
        new() { MaxDegreeOfParallelism = Environment.ProcessorCount, CancellationToken = cancellationToken };
}
