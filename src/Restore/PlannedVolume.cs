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
    /// The archive storage class of the volume, as the store lists it. The store has to restore the
    /// volume before it can be read. Null if the volume can be read.
    /// </summary>
    public string? ArchiveTier { get; init; }
}
