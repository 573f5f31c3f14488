namespace Restore.Compression.Zip;

/// <summary>The header fields of an entry in an archive that is being written.</summary>
/// <param name="Offset">Where the entry starts in the archive.</param>
internal readonly record struct ZipItem(ushort Method, ushort Flags, uint DosTime, long Offset)
{
    public uint Crc { get; init; }

    public long PackedBytes { get; init; }

    public long PlainBytes { get; init; }

    /// <summary>Whether its local header has room for sizes of 4 GiB and more.</summary>
    public bool IsLarge { get; init; }

    /// <summary>Kind and permissions on Unix; 0 if they are not recorded.</summary>
    public int UnixMode { get; init; }
}
