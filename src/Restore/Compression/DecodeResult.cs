namespace Restore.Compression;

internal enum DecodeResult : byte
{
    /// <summary>
    /// The data decodes to exactly the claimed length (and, if checked, to the recorded CRC).
    /// </summary>
    Decoded,

    /// <summary>The data does not decode, or decodes to another length than claimed.</summary>
    Damaged,

    /// <summary>The data decodes, but its CRC-32 is not the recorded one.</summary>
    CrcMismatch,
}
