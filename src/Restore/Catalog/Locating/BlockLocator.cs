namespace Restore.Catalog.Locating;

/// <summary>
/// Finds the volumes that have blocks. Stateless: each call is a separate search through the
/// sources in order of cost, and any number may run concurrently.
/// </summary>
internal sealed class BlockLocator(
    VolumeLoader loader,
    VolumeSet volumes,
    ICatalog catalog,
    RangePolicy ranges,
    BlockFetcher fetch,
    long maxKeptBytes = SearchState.MaxKeptBytes
)
{
    /// <summary>
    /// Locates as much as possible of some contents of a version, and freezes the version's block
    /// table.
    /// </summary>
    /// <exception cref="RestoreException">The file list of the version cannot belong to these
    /// volumes.</exception>
    public Task<Locations> LocateAsync(
        VersionContent version,
        IEnumerable<ContentId> contents,
        IssueLog issues,
        Action<int, int> progress,
        CancellationToken cancellationToken
    )
    {
        BlockNeeds needs = new(version);
        foreach (ContentId content in contents)
        {
            needs.Want(content);
        }

        return LocateAsync(needs, issues, progress, cancellationToken);
    }

    /// <summary>
    /// Locates as much as possible of what a version needs, and freezes the version's block table.
    /// </summary>
    /// <exception cref="RestoreException">The file list of the version cannot belong to these
    /// volumes.</exception>
    public async Task<Locations> LocateAsync(
        BlockNeeds needs,
        IssueLog issues,
        Action<int, int> progress,
        CancellationToken cancellationToken
    )
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
        VersionContent content,
        Locations current,
        IEnumerable<BlockId> lost,
        IssueLog issues,
        CancellationToken cancellationToken
    )
    {
        BlockId[] nowhere = [.. lost.Distinct().Where(block => current.VolumeOf(block).IsNone)];
        if (nowhere.Length == 0)
        {
            return current;
        }

        // A separate block table, numbered by this list: the table of the version is frozen, and
        // large.
        BlockNeeds needs = new(new VersionContent(content.Version, content.Layout));
        foreach (BlockId block in nowhere)
        {
            BlockId own = needs.Content.Blocks.GetOrAdd(content.Blocks.HashOf(block), content.Blocks.SizeOf(block));
            needs.Refer(own);

            // Copies that failed before must not come back, or pass after pass would try them.
            Array.ForEach(current.FailedOf(block), volume => needs.Fail(new Replica(own, volume)));
        }

        Locations found = await SearchAsync(needs, issues, progress: (_, _) => { }, _ => { }, cancellationToken)
            .ConfigureAwait(false);
        IEnumerable<BlockId> all = BlockId.UpTo(nowhere.Length).AsEnumerable();
        return current.With(
            [.. all.SelectMany(own => found.ReplicasOf(own).Select(volume => new Replica(nowhere[own], volume)))],
            [
                .. all.Where(own => found.LostWith(own) is not null)
                    .Select(own => new AbsentReplica(nowhere[own], found.LostWith(own)!)),
            ]
        );
    }

    /// <summary>
    /// Finds out which volumes have which blocks: reads all index volumes, and the directories of
    /// volumes that none describes.
    /// </summary>
    public async Task<VolumeSurvey> SurveyAsync(
        BlockIndex index,
        RangePolicy undescribed,
        IssueLog issues,
        Action<int, int> progress,
        CancellationToken cancellationToken
    )
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

    public static async Task<VolumeSurvey> ReadIndexesAsync(
        BlockIndex index,
        VolumeLoader loader,
        VolumeSet volumes,
        CancellationToken cancellationToken
    )
    {
        using SearchState search = new(index, new IssueLog());
        await new LocationSearch(search, [new IndexSource(search, loader, volumes, RangePolicy.Never)])
            .RunAsync((_, _) => { }, cancellationToken)
            .ConfigureAwait(false);
        return search.Survey;
    }

    private async Task<Locations> SearchAsync(
        BlockNeeds needs,
        IssueLog issues,
        Action<int, int> progress,
        Action<SearchState> check,
        CancellationToken cancellationToken
    )
    {
        using SearchState search = new(needs, issues, maxKeptBytes);
        await new LocationSearch(search, SourcesOf(search, needs))
            .RunAsync(progress, cancellationToken)
            .ConfigureAwait(false);
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
    /// The failure if a list gives another block size or other hash algorithms than the volumes: a
    /// search then finds next to nothing. The data is not lost; only the list cannot be used.
    /// </summary>
    private static RestoreException ContradictedLayout(BackupVersion version) =>
        new(
            RestoreErrorCode.FileListUnusable,
            $"The file list of {version.Name} cannot be used: "
                + "its manifest gives another block size or other hash algorithms than every index volume",
            version.FileListName
        );
}
