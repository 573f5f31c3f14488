using Restore.Compression.Tar;
using Restore.Compression.Zip;
using Restore.Format;

namespace Restore.Compression;

/// <summary>Opens the archive of a volume.</summary>
internal static class ArchiveReader
{
    /// <summary>Opens an archive over the decrypted bytes of a volume, which must stay valid as long as the archive is used.</summary>
    /// <exception cref="InvalidDataException">The bytes are not such an archive, and no entry can be found.</exception>
    /// <exception cref="UnsupportedMethodException">This machine cannot decode archives of that kind.</exception>
    public static Archive Open(ArchiveKind kind, ReadOnlyMemory<byte> bytes, Codecs codecs) => kind switch
    {
        ArchiveKind.Zip => new ZipArchiveReader(bytes, codecs),
        ArchiveKind.TarGzip => new TarArchiveReader(Codecs.OpenGzip(bytes), bytes.Length),
        ArchiveKind.TarZstd => new TarArchiveReader(codecs.OpenZstandard(bytes), bytes.Length),
        _ => throw new UnsupportedMethodException(
            "The archive format of the volume is not zip, tgz or tzstd; "
            + "volumes in the 7z format can only be read by a version of Duplicati from before November 2024"),
    };
}
