namespace Restore.Compression.Methods;

/// <summary>Decodes the data of entries of one compression method. It may hold state that is expensive to make; one user at a time.</summary>
internal interface IEntryDecoder : IDisposable
{
    /// <summary>
    /// Decodes all of an entry; false when the data is damaged or is not exactly as long as <paramref name="destination"/>, beyond which nothing is written.
    /// </summary>
    bool TryDecode(ReadOnlyMemory<byte> data, Span<byte> destination);

    /// <summary>
    /// Decodes an entry piece by piece. The stream does not need this decoder any more; it throws <see cref="InvalidDataException"/> when the data is damaged.
    /// </summary>
    /// <param name="data">The compressed data, which must stay valid as long as the stream is used.</param>
    /// <param name="lengthBytes">The length that the archive claims, for methods that need it.</param>
    Stream Open(ReadOnlyMemory<byte> data, long lengthBytes);
}
