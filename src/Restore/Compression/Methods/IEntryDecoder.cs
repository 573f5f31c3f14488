namespace Restore.Compression.Methods;

/// <summary>
/// Decodes entries of one compression method. May hold state that is expensive to create; one user
/// at a time.
/// </summary>
internal interface IEntryDecoder : IDisposable
{
    /// <summary>
    /// Decodes a whole entry; false if the data is damaged or does not have exactly the length of
    /// <paramref name="destination"/>. Writes nothing beyond it.
    /// </summary>
    bool TryDecode(ReadOnlyMemory<byte> data, Span<byte> destination);

    /// <summary>
    /// The stream is independent of this decoder. The data must stay valid as long as the stream is
    /// used.
    /// </summary>
    Stream Open(ReadOnlyMemory<byte> data, long lengthBytes);
}
