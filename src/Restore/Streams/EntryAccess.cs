using Restore.Catalog.Locating;
using Restore.Reading;

namespace Restore.Streams;

/// <summary>
/// Reads entries of versions without a target: locates their blocks, and creates a source of the
/// blocks.
/// </summary>
internal sealed class EntryAccess(
    ICatalog catalog,
    BlockLocator locator,
    BlockStream stream,
    IReadOnlyList<Volume> volumes,
    long maxBlockBytes
)
{
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>
    /// Reads the selected entries of a version, and locates the blocks of their contents.
    /// </summary>
    /// <param name="issues">Receives the defects of the list and of volumes.</param>
    /// <param name="cacheBytes">Limit of the bytes of blocks in memory.</param>
    /// <param name="observer">Sees all entries of the version; null for none.</param>
    public async Task<BlockSource> OpenAsync(
        BackupVersion version,
        EntryFilter filter,
        bool withMetadata,
        IssueLog issues,
        long cacheBytes,
        CancellationToken cancellationToken,
        EntryObserver? observer = null
    )
    {
        VersionContent content = await catalog
            .ReadAsync(version, filter, observer, cancellationToken)
            .ConfigureAwait(false);
        issues.AddRange(content.Issues);
        return await LocateAsync(
                content,
                withMetadata,
                issues,
                new BlockCache(stream.Pool, cacheBytes),
                cancellationToken
            )
            .ConfigureAwait(false);
    }

    /// <summary>
    /// Locates the blocks of the contents of all entries, and freezes the block table of the
    /// version.
    /// </summary>
    /// <param name="turns">Limits how many fetches run at the same time; null for no limit.</param>
    /// <param name="windowBytes">Limit of the bytes of one fetch; at most an eighth of the
    /// cache.</param>
    /// <param name="triesLossesAgainAfter">After this time a block that could not be read is tried
    /// again; null for never.</param>
    public async Task<BlockSource> LocateAsync(
        VersionContent content,
        bool withMetadata,
        IssueLog issues,
        BlockCache cache,
        CancellationToken cancellationToken,
        SemaphoreSlim? turns = null,
        long windowBytes = long.MaxValue,
        TimeSpan? triesLossesAgainAfter = null
    )
    {
        List<ContentId> needed = [];
        Dictionary<EntryId, IssueReason> refused = [];
        long blocksLeft = 4 * VersionContent.MaxBlocksPerFile;
        foreach (EntryId entry in EntryId.UpTo(content.Entries.Count))
        {
            EntryRow row = content.Entries[entry];
            long blocks = content.Layout.BlockCount(content.SizeOf(row.Content));
            if (content.RefuseLongBlocks(row.Content, maxBlockBytes) is IssueReason reason)
            {
                refused.Add(entry, reason);
            }
            else if (blocks > VersionContent.MaxBlocksPerFile || (blocks > 1 && (blocksLeft -= blocks) < 0))
            {
                refused.Add(entry, new IssueReason(BlockSource.TooManyReason, IssueCode.TooManyBlocks));
            }
            else if (row.Kind.IsFile() && !row.Content.IsNone)
            {
                needed.Add(row.Content);
            }

            if (withMetadata && !row.Metadata.IsNone)
            {
                needed.Add(row.Metadata);
            }
        }

        Locations locations = await locator
            .LocateAsync(content, needed, issues, progress: (_, _) => { }, cancellationToken)
            .ConfigureAwait(false);

        // The buffers of index volumes are larger than what reads need, and would stay in memory.
        stream.Pool.DropIdle();
        BlockReader reader = new(content.Blocks, locations, volumes, stream, SearchAsync);
        return new BlockSource(content, reader, cache)
        {
            Refused = refused,
            Losses = new KnownLosses(Clock, triesLossesAgainAfter),
            Turns = turns,
            WindowBytes = Math.Min(windowBytes, cache.MaxBytes / BlockSource.WindowShare),
        };

        Task<Locations> SearchAsync(
            Locations known,
            IReadOnlyCollection<BlockId> lost,
            CancellationToken cancellation
        ) => locator.FindAgainAsync(content, known, lost, issues, cancellation);
    }
}
