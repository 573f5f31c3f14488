namespace Restore.Compression.Methods;

/// <summary>Decodes entries of one compression method. May hold state that is expensive to create; one user at a time.</summary>
internal interface IEntryDecoder : IDisposable
{
    /// <summary>
    /// Decodes a whole entry; false if the data is damaged or does not have exactly the length of <paramref name="destination"/>. Writes nothing beyond it.
    /// </summary>
    bool TryDecode(ReadOnlyMemory<byte> data, Span<byte> destination);

    /// <summary>
    /// Decodes an entry piece by piece. The stream is independent of this decoder, and throws <see cref="InvalidDataException"/> if the data is damaged.
    /// </summary>
    /// <param name="data">The compressed data, which must stay valid as long as the stream is used.</param>
    /// <param name="lengthBytes">The length that the archive claims, for methods that need it.</param>
    Stream Open(ReadOnlyMemory<byte> data, long lengthBytes);
}
