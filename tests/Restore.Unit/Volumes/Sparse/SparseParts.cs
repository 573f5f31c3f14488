using Restore.Compression;
using Restore.Compression.Zip;
using Restore.Memory;
using Restore.Tests.Compression;
using Restore.Tests.Reading;
using Restore.Volumes;

namespace Restore.Tests.Volumes.Sparse;

/// <summary>
/// A zip archive of noise that the tests of the parts of <see cref="Restore.Volumes.SparseVolume"/>
/// share.
/// </summary>
internal static class SparseParts
{
    public const int EntryBytes = 1000;

    public static byte[][] Blocks { get; } =
    [.. Enumerable.Range(0, 20).Select(seed => MadeVolumes.Block(seed, EntryBytes))];

    public static byte[] Archive { get; } = MadeVolumes.Zip(Blocks, stored: true);

    public static SparseDirectory Directory() => Directory(Archive);

    public static SparseDirectory Directory(byte[] archive)
    {
        ZipDirectoryLocation location = ZipDirectory.Locate(archive, archive.Length)!.Value;
        BufferPool pool = new();
        using PooledBuffer buffer = pool.Rent((int)location.LengthBytes);
        archive.AsSpan((int)location.OffsetBytes, buffer.Length).CopyTo(buffer.Span);
        return new SparseDirectory(buffer, buffer.Memory, location, pool);
    }

    /// <summary>Decodes an entry of an archive.</summary>
    public static byte[] Decode(Archive archive, in ArchiveEntry entry)
    {
        byte[] content = new byte[entry.Length];
        Assert.Equal(DecodeResult.Decoded, archive.Decode(entry, content, checkCrc: true));
        return content;
    }
}
