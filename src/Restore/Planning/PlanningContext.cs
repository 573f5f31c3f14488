using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Memory;
using Restore.Planning.Scanning;
using Restore.Volumes;

namespace Restore.Planning;

/// <summary>Finds the blocks that are needed, as far as they can be found.</summary>
internal delegate Task<Locations> LocateBlocks(BlockNeeds needs, IssueLog issues, ProgressMeter progress, CancellationToken cancellationToken);

/// <summary>What a plan is made with. None of it becomes part of the plan.</summary>
/// <param name="Location">Where the backup is, for the plan's file.</param>
/// <param name="Catalog">Reads versions.</param>
/// <param name="Volumes">All volumes, by id.</param>
/// <param name="Locate">Finds blocks.</param>
/// <param name="Scan">Looks at the target.</param>
/// <param name="Target">Where entries go.</param>
/// <param name="OriginalPlaces">Where they once were, if blocks are taken from there.</param>
/// <param name="Costs">What fetching costs.</param>
/// <param name="LeavesBlocksToFiles">Whether the flow verifies files as wholes, so that each byte is hashed once.</param>
/// <param name="Pool">Where buffers come from.</param>
/// <param name="LocalZone">The time zone of the names that files are restored under beside others.</param>
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
    TimeZoneInfo LocalZone);
