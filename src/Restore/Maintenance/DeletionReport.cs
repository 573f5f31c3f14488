namespace Restore.Maintenance;

/// <summary>The result of a deletion of versions.</summary>
public sealed record DeletionReport
{
    /// <summary>Names of the file lists that were deleted.</summary>
    public IReadOnlyList<string> Deleted { get; init; } = [];

    /// <summary>How many versions are left.</summary>
    public int VersionsLeft { get; init; }

    /// <summary>Duration.</summary>
    public TimeSpan Elapsed { get; init; }
}
