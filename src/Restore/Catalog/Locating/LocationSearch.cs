namespace Restore.Catalog.Locating;

/// <summary>Asks location sources in order of cost, until everything needed is located or no source has more to add.</summary>
internal sealed class LocationSearch(SearchState search, IReadOnlyList<ILocationSource> sources)
{
    public async Task RunAsync(Action<int, int> progress, CancellationToken cancellationToken)
    {
        while (!search.IsSettled && await TryStepAsync(progress, cancellationToken).ConfigureAwait(false))
        {
        }
    }

    /// <summary>Takes the cheapest step that is left: after each step, a source that had nothing to add may have more.</summary>
    private async Task<bool> TryStepAsync(Action<int, int> progress, CancellationToken cancellationToken)
    {
        foreach (ILocationSource source in sources)
        {
            if (await source.TryStepAsync(progress, cancellationToken).ConfigureAwait(false))
            {
                return true;
            }

            // The end of a survey can settle a search although nothing was read.
            if (search.IsSettled)
            {
                return false;
            }
        }

        return false;
    }
}

/// <summary>
/// A source of block locations. A source belongs to one search, which takes one step at a time, and adds what it finds to the
/// <see cref="SearchState"/>.
/// </summary>
internal interface ILocationSource
{
    /// <summary>Takes the next step: reads something that may bring the search forward.</summary>
    /// <returns>False if the source has nothing more to add for what is needed now.</returns>
    Task<bool> TryStepAsync(Action<int, int> progress, CancellationToken cancellationToken);
}

/// <summary>
/// The shared state of the sources of one search: the index of blocks, lists kept for later blocklists, and reported issues. One lock guards all of it.
/// </summary>
/// <param name="index">The blocks; from now on used by this search alone.</param>
/// <param name="maxKeptBytes">Memory limit for the kept lists.</param>
internal sealed class SearchState(BlockIndex index, IssueLog issues, long maxKeptBytes = SearchState.MaxKeptBytes) : IDisposable
{
    /// <summary>Blocks that an index lists and nothing needs yet take 36 bytes each: 3.7 million of them.</summary>
    public const long MaxKeptBytes = 128 << 20;

    private readonly Lock gate = new();
    private readonly KeptLists kept = new(maxKeptBytes);
    private readonly HashSet<(string Path, string Reason)> reported = [];
    private bool isSurveyed;

    public VolumeSurvey Survey { get; } = new(index.Layout, index.IsOfAllBlocks);

    public BlockLayout Layout => index.Layout;

    /// <summary>Whether there is nothing left to find. A search for all blocks reads all index volumes, and the volumes that none describes.</summary>
    public bool IsSettled => Ask(index => (isSurveyed || !index.IsOfAllBlocks) && index.IsSettled);

    public T Ask<T>(Func<BlockIndex, T> question)
    {
        lock (gate)
        {
            return question(index);
        }
    }

    public void Update(Action<BlockIndex> change)
    {
        lock (gate)
        {
            change(index);
        }
    }

    /// <summary>The index volumes and the block volumes that none of them describes have been read.</summary>
    public void EndSurvey() => Update(_ => isSurveyed = true);

    /// <summary>Whether a blocklist that an index volume has a copy of is needed.</summary>
    public bool IsMissingBlocklist(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        lock (gate)
        {
            index.NoteCopy(hash);
            return index.IsMissingBlocklist(hash, sizeBytes);
        }
    }

    public int? Take(Volume volume, IndexContents contents)
    {
        lock (gate)
        {
            foreach ((byte[] hash, PooledBuffer content) in contents.Blocklists)
            {
                index.AcceptBlocklist(index.Find(hash, content.Length), content.Span);
            }

            contents.Volumes.ForEach(blocks => blocks.Order = CopyOrder.OfIndex(volume));
            Survey.Take(volume, contents);
            int? forgotten = Offer(contents.Volumes);
            if (!index.IsOfAllBlocks)
            {
                kept.KeepAbsent(contents.AbsentVolumes);
            }

            return forgotten;
        }
    }

    /// <summary>Takes the locations of needed blocks from lists, and keeps the rest while blocklists are missing.</summary>
    public int? Offer(List<ListedBlocks> lists)
    {
        lock (gate)
        {
            lists.ForEach(blocks => blocks.OfferTo(index));
            return index.MissingBlocklists == 0 || kept.TryKeep(lists) ? null : index.Revision;
        }
    }

    public void OfferKept() => Update(kept.OfferTo);

    public void Report(string path, string reason, IssueCode code = IssueCode.None)
    {
        lock (gate)
        {
            if (reported.Add((path, reason)))
            {
                issues.Add(new RestoreIssue(IssueKind.Warning, path, reason) { Code = code });
            }
        }
    }

    public Locations Complete()
    {
        lock (gate)
        {
            kept.NoteLost(index);
            index.Blocks.Freeze();
            return index.Locations.Freeze(index.Count);
        }
    }

    public void Dispose() => kept.Dispose();
}

/// <summary>
/// Finds the volumes that have blocks. Stateless: each call is a separate search through the sources in order of cost, and any number may run concurrently.
/// </summary>
internal sealed class BlockLocator(
    VolumeLoader loader,
    VolumeSet volumes,
    ICatalog catalog,
    RangePolicy ranges,
    BlockFetcher fetch,
    long maxKeptBytes = SearchState.MaxKeptBytes)
{
    /// <summary>Locates as much as possible of what a version needs, and freezes the version's block table.</summary>
    /// <exception cref="RestoreException">The file list of the version cannot belong to these volumes.</exception>
    public async Task<Locations> LocateAsync(BlockNeeds needs, IssueLog issues, Action<int, int> progress, CancellationToken cancellationToken)
    {
        issues.AddRange(catalog.Differences);
        return await SearchAsync(needs, issues, progress, RequireOneLayout, cancellationToken).ConfigureAwait(false);

        void RequireOneLayout(SearchState search)
        {
            if (!search.IsSettled && search.Survey.IsLayoutContradicted)
            {
                throw ContradictedLayout(needs.Content.Version);
            }
        }
    }

    /// <summary>Looks for further copies of blocks that have no location, or lost theirs.</summary>
    public async Task<Locations> FindAgainAsync(
        VersionContent content, Locations current, IEnumerable<BlockId> lost, IssueLog issues, CancellationToken cancellationToken)
    {
        BlockId[] nowhere = [.. lost.Distinct().Where(block => current.VolumeOf(block).IsNone)];
        if (nowhere.Length == 0)
        {
            return current;
        }

        // A separate block table, numbered by this list: that of the version is frozen, and large.
        BlockNeeds needs = new(new VersionContent(content.Version, content.Layout));
        foreach (BlockId block in nowhere)
        {
            BlockId own = needs.Content.Blocks.GetOrAdd(content.Blocks.HashOf(block), content.Blocks.SizeOf(block));
            needs.Refer(own);
            Array.ForEach(current.FailedOf(block), volume => needs.Fail(new Replica(own, volume)));
        }

        Locations found = await SearchAsync(needs, issues, progress: (_, _) => { }, _ => { }, cancellationToken).ConfigureAwait(false);
        IEnumerable<BlockId> all = BlockId.UpTo(nowhere.Length).AsEnumerable();
        return current.With(
            [.. all.SelectMany(own => found.ReplicasOf(own).Select(volume => new Replica(nowhere[own], volume)))],
            [.. all.Where(own => found.LostWith(own) is not null).Select(own => new AbsentReplica(nowhere[own], found.LostWith(own)!))]);
    }

    /// <summary>Finds out which volumes have which blocks: reads all index volumes, and the directories of volumes that none describes.</summary>
    public async Task<VolumeSurvey> SurveyAsync(
        BlockIndex index, RangePolicy undescribed, IssueLog issues, Action<int, int> progress, CancellationToken cancellationToken)
    {
        using SearchState search = new(index, issues, maxKeptBytes);
        ILocationSource[] sources =
        [
            new IndexSource(search, loader, volumes, RangePolicy.Never),
            new BlocklistSource(search, volumes, fetch, loader),
            DirectorySource.OfUndescribed(search, loader, volumes, undescribed),
            DirectorySource.OfDescribed(search, loader, volumes, ranges),
        ];
        await new LocationSearch(search, sources).RunAsync(progress, cancellationToken).ConfigureAwait(false);
        return search.Survey;
    }

    public static async Task<VolumeSurvey> ReadIndexesAsync(BlockIndex index, VolumeLoader loader, VolumeSet volumes, CancellationToken cancellationToken)
    {
        using SearchState search = new(index, new IssueLog());
        await new LocationSearch(search, [new IndexSource(search, loader, volumes, RangePolicy.Never)]).RunAsync((_, _) => { }, cancellationToken)
            .ConfigureAwait(false);
        return search.Survey;
    }

    private async Task<Locations> SearchAsync(
        BlockNeeds needs, IssueLog issues, Action<int, int> progress, Action<SearchState> check, CancellationToken cancellationToken)
    {
        using SearchState search = new(needs, issues, maxKeptBytes);
        await new LocationSearch(search, SourcesOf(search, needs)).RunAsync(progress, cancellationToken).ConfigureAwait(false);
        check(search);
        return search.Complete();
    }

    private ILocationSource[] SourcesOf(SearchState search, BlockNeeds needs) =>
    [
        .. catalog.LocationsFor(search, needs) is ILocationSource own ? new[] { own } : [],
        new IndexSource(search, loader, volumes, ranges),
        new BlocklistSource(search, volumes, fetch, loader),
        DirectorySource.OfUndescribed(search, loader, volumes, ranges),
        DirectorySource.OfDescribed(search, loader, volumes, ranges),
    ];

    /// <summary>
    /// With a list whose block size or hashes differ from those of the volumes, a search finds next to nothing. The data is not lost: the list cannot be used.
    /// </summary>
    private static RestoreException ContradictedLayout(BackupVersion version) => new(
        RestoreErrorCode.FileListUnusable,
        $"The file list of {version.Name} cannot be used: "
        + "its manifest gives another block size or other hash algorithms than every index volume",
        version.FileListName);
}
