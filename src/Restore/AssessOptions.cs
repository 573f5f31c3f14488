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

    /// <summary>
    /// Whether parts of some changed files of each version are read too and compared with the
    /// version before: whether they begin as their types do, and whether random bytes are where
    /// others were. Finds encryption that lists do not show, such as a few files each day.
    /// </summary>
    public bool LooksInside { get; init; }

    /// <summary>
    /// Whether only <see cref="BackupAssessment.InsideBytes"/> is found out, and nothing is read but
    /// lists.
    /// </summary>
    public bool EstimatesInsideOnly { get; init; }

    /// <summary>At most so many bytes are fetched to look inside; newer versions first.</summary>
    public long InsideLimitBytes { get; init; } = 1L << 30;

    /// <summary>
    /// Receives, before anything is fetched to look inside, how many bytes that are at most.
    /// </summary>
    public Action<long>? BeforeLookingInside { get; init; }

    /// <summary>Versions that do not count, as <see cref="BackupVersion.Index"/>.</summary>
    public IReadOnlyCollection<int> ExcludedVersions { get; init; } = [];

    /// <summary>Changes of all versions that are held in memory; older versions are left out.</summary>
    internal int MaxChanges { get; init; } = Assessment.ListsInOrder.DefaultMaxChanges;
}
