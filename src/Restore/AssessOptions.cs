namespace Restore;

/// <summary>What an assessment looks at. Immutable.</summary>
public sealed record AssessOptions
{
    /// <summary>Selects entries; the default selects all.</summary>
    public EntryFilter Filter { get; init; } = EntryFilter.All;

    /// <summary>Only versions made before this time count; null for all.</summary>
    public DateTimeOffset? Before { get; init; }

    /// <summary>
    /// Only this many of the newest versions count; null for all. The file list of each version
    /// that counts is fetched.
    /// </summary>
    public int? Newest { get; init; }

    /// <summary>Versions that do not count, as <see cref="BackupVersion.Index"/>.</summary>
    public IReadOnlyCollection<int> ExcludedVersions { get; init; } = [];
}
