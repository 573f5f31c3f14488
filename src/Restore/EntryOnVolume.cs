namespace Restore;

/// <summary>An entry with blocks in a volume.</summary>
/// <param name="Path">Its original path.</param>
/// <param name="Versions">The versions in which it has them.</param>
/// <param name="SizeBytes">Length of its content.</param>
/// <param name="BytesThere">Length of the blocks of its content and metadata that are read from the
/// volume, or were lost with it.</param>
/// <param name="HasOtherCopies">Whether other volumes have a copy of each of these blocks.</param>
public sealed record EntryOnVolume(
    string Path,
    VersionRange Versions,
    long SizeBytes,
    long BytesThere,
    bool HasOtherCopies
);
