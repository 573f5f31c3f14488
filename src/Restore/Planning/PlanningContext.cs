using Restore.Planning.Paths;
using Restore.Planning.Scanning;

namespace Restore.Planning;

/// <summary>What planning uses. Nothing of it becomes part of the plan.</summary>
/// <param name="LocalZone">The time zone for the dates in names of files that are restored beside
/// others.</param>
internal sealed record PlanningContext(
    string Location,
    ICatalog Catalog,
    IReadOnlyList<Volume> Volumes,
    LocateBlocks Locate,
    ScanNetwork Scan,
    IRestoreTarget Target,
    IRestoreTarget? OriginalPlaces,
    FetchCosts Costs,
    BufferPool Pool,
    TimeZoneInfo LocalZone
)
{
    public long MaxBlockBytes { get; init; } = long.MaxValue;

    /// <summary>The names that the target takes.</summary>
    public TargetRules Rules { get; init; } = TargetRules.ForThisSystem;

    /// <summary>Whether files get their full length first, so that zeros take room too.</summary>
    public bool PreallocatesSize { get; init; }

    /// <summary>
    /// Whether a GnuPG volume may be encrypted to a key instead of with the passphrase, so that
    /// anyone can have made it.
    /// </summary>
    public bool AllowsGpgKeys { get; init; }

    /// <summary>Whether a file list may be unencrypted in an encrypted backup.</summary>
    public bool AllowsUnencrypted { get; init; }

    /// <summary>What is suspicious about the volumes by their names.</summary>
    public IReadOnlyList<RestoreIssue> OpeningIssues { get; init; } = [];
}
