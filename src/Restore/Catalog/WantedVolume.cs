namespace Restore.Catalog;

/// <summary>A volume to read, and its needed blocks.</summary>
internal sealed record WantedVolume(Volume Volume, int First, int Count)
{
    /// <summary>
    /// The bytes of the blocks, if this is one of several parts of a large volume; null for a whole
    /// volume.
    /// </summary>
    public long? PartBytes { get; init; }

    public bool IsContinued { get; init; }
}
