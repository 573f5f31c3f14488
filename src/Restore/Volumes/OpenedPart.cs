using Restore.Compression;
using Restore.Compression.Zip;
using Restore.Memory;

namespace Restore.Volumes;

/// <summary>Some entries of a zip volume in one buffer, already decrypted. Only the hash of each block verifies them.</summary>
/// <param name="volume">The volume.</param>
/// <param name="buffer">The entries with their local headers, then their names; the part takes it over.</param>
/// <param name="dataLength">Where the names start.</param>
/// <param name="entries">The entries, with their offsets in the buffer.</param>
internal sealed class OpenedPart(Volume volume, PooledBuffer buffer, int dataLength, IReadOnlyList<ArchiveEntry> entries) : FetchedVolume(volume, buffer)
{
    public override bool IsWhole => false;

    public override Archive OpenArchive(Codecs codecs) => new ZipArchiveReader(Buffer.Memory, entries, dataLength, codecs);

    protected override ValueTask<PooledBuffer> DecryptAsync(VolumeLoader loader, PooledBuffer fetched, CancellationToken cancellationToken) =>
        ValueTask.FromResult(fetched);
}
