namespace Restore.Compression.Zip;

/// <summary>Where the central directory of a zip archive is, from its end record.</summary>
/// <param name="OffsetBytes">Where it starts in the archive; all entries lie before it.</param>
/// <param name="LengthBytes">How long it is.</param>
/// <param name="EntryCount">How many entries it lists.</param>
internal readonly record struct ZipDirectoryLocation(long OffsetBytes, long LengthBytes, long EntryCount);
