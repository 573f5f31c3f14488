namespace Restore;

/// <summary>A volume that a plan reads.</summary>
/// <param name="Name">Its name in the store.</param>
/// <param name="SizeBytes">Its size.</param>
/// <param name="BytesToFetch">Estimate of the bytes that will be read.</param>
public sealed record PlannedVolume(string Name, long SizeBytes, long BytesToFetch)
{
    /// <summary>Estimate of the number of requests.</summary>
    public int Requests { get; init; } = 1;

    /// <summary>
    /// The class of archive storage that the store lists it in, from which it has to be restored
    /// first; null if it can be read.
    /// </summary>
    public string? ArchiveTier { get; init; }
}
