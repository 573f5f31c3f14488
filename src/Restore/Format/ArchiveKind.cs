namespace Restore.Format;

internal enum ArchiveKind : byte
{
    Zip,
    TarGzip,
    TarZstd,

    /// <summary>
    /// An archive module that Duplicati dropped or that is not known. Such a volume is listed and
    /// cannot be read.
    /// </summary>
    Unknown,
}
