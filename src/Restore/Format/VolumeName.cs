namespace Restore.Format;

/// <summary>The three kinds of volume; on disk they are called dlist, dindex and dblock.</summary>
internal enum VolumeKind : byte
{
    FileList,
    Index,
    Block,
}

/// <summary>The archive format of a volume, from its name.</summary>
internal enum ArchiveKind : byte
{
    Zip,
    TarGzip,
    TarZstd,

    /// <summary>A module that Duplicati dropped or that is not known; such a volume is listed and cannot be read.</summary>
    Unknown,
}

/// <summary>The encryption of a volume, from its name.</summary>
internal enum EncryptionKind : byte
{
    None,
    Aes,
    Gpg,
}
