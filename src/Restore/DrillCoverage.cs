namespace Restore;

/// <summary>A random choice of entries for a drill.</summary>
/// <param name="Share">The share of all bytes to choose, greater than 0; 1 or more chooses
/// everything.</param>
/// <param name="Seed">The same seed chooses the same entries of the same versions.</param>
public sealed record DrillSample(double Share, int Seed);

/// <summary>
/// What a drill covers. A file that is the same in consecutive versions counts once, and its blocks
/// are verified once.
/// </summary>
public sealed record DrillCoverage
{
    /// <summary>The requested versions, newest first.</summary>
    public required IReadOnlyList<BackupVersion> Versions { get; init; }

    /// <summary>The number of these versions that have a verified entry.</summary>
    public int VersionsCovered { get; init; }

    /// <summary>Files in these versions.</summary>
    public long Files { get; init; }

    /// <summary>Of those, files that are verified.</summary>
    public long FilesCovered { get; init; }

    /// <summary>
    /// The share of the bytes of all contents and metadata that is verified, from 0 to 1.
    /// </summary>
    public double BytesShare { get; init; }

    /// <summary>The choice; null if everything is verified.</summary>
    public DrillSample? Sample { get; init; }
}
