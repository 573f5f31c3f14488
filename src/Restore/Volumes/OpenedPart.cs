using Restore.Compression.Zip;

namespace Restore.Volumes;

/// <summary>
/// Some entries of a zip volume in one buffer, already decrypted. Only the hash of each block
/// verifies them.
/// </summary>
internal sealed class OpenedPart(
    Volume volume,
    PooledBuffer buffer,
    int dataLength,
    IReadOnlyList<ArchiveEntry> entries
) : FetchedVolume(volume, buffer)
{
    public override bool IsWhole => false;

    public override Archive OpenArchive(Codecs codecs) =>
        new ZipArchiveReader(Buffer.Memory, entries, dataLength, codecs);
}
