using Restore.Compression;
using Restore.Compression.Zip;
using Restore.Memory;

namespace Restore.Volumes;

/// <summary>Some entries of a zip volume, decrypted, in one buffer. Nothing authenticates them but the hash of each block.</summary>
/// <param name="Buffer">The entries with their local headers, then their names; the holder of this value owns one use of it.</param>
/// <param name="DataLength">Where the names start.</param>
/// <param name="Entries">The entries, by their places in the buffer.</param>
internal sealed record VolumePart(PooledBuffer Buffer, int DataLength, IReadOnlyList<ArchiveEntry> Entries)
{
    /// <summary>Opens the entries as an archive.</summary>
    public Archive Open(Codecs codecs) => new ZipArchiveReader(Buffer.Memory, Entries, DataLength, codecs);
}
