using Restore.Planning.Paths;

namespace Restore.Planning.Saving;

/// <summary>
/// The part of a saved plan that is not a large table, as a JSON object that people can read. It
/// holds no secret.
/// </summary>
internal sealed record PlanHead
{
    /// <summary>The location of the backup, without credentials.</summary>
    public required string Location { get; init; }

    public required BackupVersion Version { get; init; }

    public required int BlockSizeBytes { get; init; }

    public required HashKind BlockHash { get; init; }

    public required HashKind FileHash { get; init; }

    public required RestoreOptions Options { get; init; }

    public bool SelectsAll { get; init; }

    /// <summary>As <see cref="RestorePlan.LeftOut"/>.</summary>
    public IReadOnlyList<string>? LeftOut { get; init; }

    public required FetchCosts Costs { get; init; }

    public DrillCoverage? Drill { get; init; }

    public int? Shards { get; init; }

    /// <summary>The versions that the last good files come from; null for one version.</summary>
    public IReadOnlyList<BackupVersion>? Sources { get; init; }

    /// <summary>
    /// Number of the selected entries, if folders above them follow in the tables.
    /// </summary>
    public int? Selected { get; init; }

    public required PathMapSettings Paths { get; init; }

    public required bool LeavesBlocksToFiles { get; init; }

    public required IReadOnlyList<StoredFile> Volumes { get; init; }

    public required IReadOnlyList<RestoreIssue> Issues { get; init; }

    public required IReadOnlyList<SavedName> Renamed { get; init; }

    /// <summary>Entries with a partial file that an interrupted run left.</summary>
    public IReadOnlyList<SavedName> Partials { get; init; } = [];

    /// <summary>Entries that come before the others, in order.</summary>
    public IReadOnlyList<EntrySpan> First { get; init; } = [];

    /// <summary>
    /// For each entry that has some: the blocks that are at the target, or in another local file.
    /// </summary>
    public required IReadOnlyList<SavedBlocks> PresentBlocks { get; init; }
}

internal sealed record SavedName(int Entry, string Path);
