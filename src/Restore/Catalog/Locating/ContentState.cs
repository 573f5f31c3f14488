namespace Restore.Catalog.Locating;

/// <summary>What is known of the blocks of a content.</summary>
internal enum ContentState
{
    There,

    /// <summary>A list of its blocks could not be read, though a volume should have it.</summary>
    Unknown,

    Lost,
}
