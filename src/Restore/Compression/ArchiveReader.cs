using Restore.Compression.Tar;
using Restore.Compression.Zip;

namespace Restore.Compression;

internal static class ArchiveReader
{
    /// <summary>
    /// Opens an archive. The bytes must stay valid as long as the archive is used. The format that
    /// their start shows takes precedence over the name of the volume.
    /// </summary>
    /// <param name="keepsCut">Whether the walk includes entries that lost their end; for
    /// <see cref="Archive.OpenSalvaged"/>.</param>
    public static Archive Open(ArchiveKind kind, ReadOnlyMemory<byte> bytes, Codecs codecs, bool keepsCut = false) =>
        (KindOf(bytes.Span) ?? kind) switch
        {
            ArchiveKind.Zip => new ZipArchiveReader(bytes, codecs, keepsCut),
            ArchiveKind.TarGzip => new TarArchiveReader(Codecs.OpenGzip(bytes), bytes.Length),
            ArchiveKind.TarZstd => new TarArchiveReader(codecs.OpenZstandard(bytes), bytes.Length),
            _ => throw new UnsupportedMethodException(
                "The archive format of the volume is not zip, tgz or tzstd; "
                    + "volumes in the 7z format can only be read by a version of Duplicati from before November 2024"
            ),
        };

    /// <summary>
    /// The format of an archive by its first bytes; null if they match no format.
    /// </summary>
    public static ArchiveKind? KindOf(ReadOnlySpan<byte> start) =>
        start.StartsWith("PK\x03\x04"u8) || start.StartsWith("PK\x05\x06"u8) ? ArchiveKind.Zip
        : start is [0x1F, 0x8B, 8, ..] ? ArchiveKind.TarGzip
        : start is [0x28, 0xB5, 0x2F, 0xFD, ..] ? ArchiveKind.TarZstd
        : null;
}
