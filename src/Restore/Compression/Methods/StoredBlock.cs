namespace Restore.Compression.Methods;

/// <summary>
/// Deflate without compression: blocks that are stored as they are, each behind a header.
/// </summary>
internal static class StoredBlock
{
    public const int HeaderBytes = 5;

    public const int MaxBytes = ushort.MaxValue;

    /// <summary>The end of the data: an empty last block.</summary>
    public static ReadOnlySpan<byte> End => [3, 0];

    public static void WriteHeader(Span<byte> header, int lengthBytes)
    {
        header[0] = 0;
        BinaryPrimitives.WriteUInt16LittleEndian(header[1..], (ushort)lengthBytes);
        BinaryPrimitives.WriteUInt16LittleEndian(header[3..], (ushort)~lengthBytes);
    }
}
