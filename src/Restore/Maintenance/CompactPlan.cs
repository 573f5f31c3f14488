using Restore.Maintenance.Compact;

namespace Restore.Maintenance;

/// <summary>What a compact of a backup would do. Making the plan changes nothing.</summary>
public sealed record CompactPlan
{
    /// <summary>The options that it was made with.</summary>
    public CompactOptions Options { get; init; } = new();

    /// <summary>
    /// Block volumes without a block that a version needs: they are deleted unread.
    /// </summary>
    public IReadOnlyList<CompactVolume> Dead { get; init; } = [];

    /// <summary>
    /// Block volumes that are deleted after their needed blocks are copied to new volumes.
    /// </summary>
    public IReadOnlyList<CompactVolume> Rewritten { get; init; } = [];

    /// <summary>
    /// Index volumes that are deleted, because they describe only block volumes that are or will be
    /// gone.
    /// </summary>
    public IReadOnlyList<string> IndexVolumes { get; init; } = [];

    /// <summary>Block volumes that stay.</summary>
    public int VolumesLeft { get; init; }

    /// <summary>The size limit of new block volumes.</summary>
    public int VolumeSizeBytes { get; init; }

    /// <summary>Length of the blocks in all volumes before compression.</summary>
    public long DataBytes { get; init; }

    /// <summary>Length of the blocks that no version needs, and of further copies.</summary>
    public long WastedBytes { get; init; }

    /// <summary>About how much will be read from the store.</summary>
    public long BytesToFetch { get; init; }

    /// <summary>About how much will be written to it.</summary>
    public long BytesToWrite { get; init; }

    /// <summary>Length of the volumes that will be deleted.</summary>
    public long BytesToDelete { get; init; }

    /// <summary>Whether there is anything to do.</summary>
    public bool IsNeeded => Dead.Count + Rewritten.Count + IndexVolumes.Count > 0;

    /// <summary>What is wrong with the backup, and volumes that stay for that reason.</summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];

    /// <summary>Whether new volumes are encrypted.</summary>
    internal bool IsEncrypted { get; init; }

    /// <summary>What was found for the plan; null for a plan that a caller made.</summary>
    internal PlanFindings<CompactPlan, CompactWork>? Findings { get; init; }

    /// <summary>Whether another plan does the same.</summary>
    internal bool IsSameAs(CompactPlan other) =>
        VolumeSizeBytes == other.VolumeSizeBytes
        && Dead.SequenceEqual(other.Dead)
        && Rewritten.SequenceEqual(other.Rewritten)
        && IndexVolumes.SequenceEqual(other.IndexVolumes);
}

/// <summary>A block volume in the plan of a compact.</summary>
/// <param name="Name">Its name.</param>
/// <param name="SizeBytes">Its length.</param>
/// <param name="DataBytes">Length of its blocks before compression.</param>
/// <param name="WastedBytes">Of those, the length of the blocks that no version needs or that
/// another volume has too.</param>
public sealed record CompactVolume(string Name, long SizeBytes, long DataBytes, long WastedBytes);
