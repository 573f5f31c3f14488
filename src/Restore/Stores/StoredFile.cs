namespace Restore.Stores;

/// <summary>A file in a store.</summary>
/// <param name="Name">Its name within the folder, without a path.</param>
/// <param name="SizeBytes">Its size in bytes, as the store lists it.</param>
public readonly record struct StoredFile(string Name, long SizeBytes)
{
    /// <summary>
    /// The store's name for the archive storage that the file is in, which has to restore it before
    /// it can be read; null for a file that can be read.
    /// </summary>
    public string? ArchiveTier { get; init; }
}
