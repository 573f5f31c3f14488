namespace Restore.Catalog;

/// <summary>A volume to read, and its needed blocks.</summary>
internal sealed record WantedVolume(Volume Volume, int First, int Count)
{
    /// <summary>
    /// If it is one of several parts of a large volume: the bytes of its blocks. Null if it is the
    /// whole volume.
    /// </summary>
    public long? PartBytes { get; init; }

    public bool IsContinued { get; init; }
}
