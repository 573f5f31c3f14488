namespace Restore;

/// <summary>A volume that a plan reads.</summary>
/// <param name="Name">Its name in the store.</param>
/// <param name="SizeBytes">Its size.</param>
/// <param name="BytesToFetch">About how much of it will be read.</param>
public sealed record PlannedVolume(string Name, long SizeBytes, long BytesToFetch)
{
    /// <summary>In about how many requests.</summary>
    public int Requests { get; init; } = 1;
}
