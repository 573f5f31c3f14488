using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Memory;
using Restore.Planning.Scanning;
using Restore.Volumes;

namespace Restore.Planning;

/// <summary>Finds the needed blocks, as far as possible.</summary>
internal delegate Task<Locations> LocateBlocks(BlockNeeds needs, IssueLog issues, ProgressMeter progress, CancellationToken cancellationToken);

/// <summary>What planning uses. Nothing of it becomes part of the plan.</summary>
/// <param name="Location">The location of the backup, for saved plans.</param>
/// <param name="Catalog">Reads versions.</param>
/// <param name="Volumes">All volumes, by id.</param>
/// <param name="Locate">Locates blocks.</param>
/// <param name="Scan">Scans the target.</param>
/// <param name="Target">Where entries go.</param>
/// <param name="OriginalPlaces">The original places, if blocks are taken from there.</param>
/// <param name="Costs">The costs of fetching.</param>
/// <param name="LeavesBlocksToFiles">Whether the flow verifies files as wholes, so that each byte is hashed once.</param>
/// <param name="Pool">The source of buffers.</param>
/// <param name="LocalZone">The time zone for the dates in names of files that are restored beside others.</param>
internal sealed record PlanningContext(
    string Location,
    ICatalog Catalog,
    IReadOnlyList<Volume> Volumes,
    LocateBlocks Locate,
    ScanNetwork Scan,
    IRestoreTarget Target,
    IRestoreTarget? OriginalPlaces,
    FetchCosts Costs,
    bool LeavesBlocksToFiles,
    BufferPool Pool,
    TimeZoneInfo LocalZone)
{
    /// <summary>Limit of the length of a block.</summary>
    public long MaxBlockBytes { get; init; } = long.MaxValue;

    /// <summary>What is suspicious about the volumes by their names.</summary>
    public IReadOnlyList<RestoreIssue> OpeningIssues { get; init; } = [];
}
