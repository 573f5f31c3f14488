using Restore.Catalog.Locating;
using Restore.Planning.Scanning;

namespace Restore.Planning;

internal delegate Task<Locations> LocateBlocks(BlockNeeds needs, IssueLog issues, ProgressMeter progress, CancellationToken cancellationToken);

/// <summary>What planning uses. Nothing of it becomes part of the plan.</summary>
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
    BufferPool Pool,
    TimeZoneInfo LocalZone)
{
    public long MaxBlockBytes { get; init; } = long.MaxValue;

    /// <summary>Whether files get their full length first, so that zeros take room too.</summary>
    public bool PreallocatesSize { get; init; }

    /// <summary>Whether a GnuPG volume may be encrypted to a key instead of with the passphrase, so that anyone can have made it.</summary>
    public bool AllowsGpgKeys { get; init; }

    /// <summary>Whether only someone who knows the passphrase can have made the file list of a version: it vouches for all content, links included.</summary>
    public bool IsAuthentic(BackupVersion version) => VolumeName.TryParse(version.FileListName, out VolumeName name) && name.Encryption switch
    {
        EncryptionKind.None => false,
        EncryptionKind.Gpg => !AllowsGpgKeys,
        _ => true,
    };

    /// <summary>What is suspicious about the volumes by their names.</summary>
    public IReadOnlyList<RestoreIssue> OpeningIssues { get; init; } = [];
}

/// <summary>What making a plan cost, for the report of its execution.</summary>
internal sealed record PlanningEffort(
    TimeSpan Elapsed, long BytesFetched, IReadOnlyList<PhaseDuration> Phases, IReadOnlyList<ProcessProfile> Profile)
{
    public RestoreReport AddTo(RestoreReport report) => report with
    {
        BytesFetched = BytesFetched + report.BytesFetched,
        Elapsed = Elapsed + report.Elapsed,
        Profile = ProcessProfile.Merge(Profile.Concat(report.Profile)),
        Phases = [.. Phases, .. report.Phases],
    };
}

internal sealed record FetchCosts(RangePolicy Ranges, bool HasRanges)
{
    public PlannedVolume Estimate(Volume volume, long wantedBytes) =>
        new(volume.FileName, volume.SizeBytes, Ranges.Estimate(volume, wantedBytes, HasRanges))
        {
            Requests = Ranges.EstimateRequests(volume, wantedBytes, HasRanges),
        };

    public long BytesOf(FetchList list) => list.Volumes.Sum(volume => Ranges.Estimate(volume.Volume, list.BytesOf(volume), HasRanges));
}
