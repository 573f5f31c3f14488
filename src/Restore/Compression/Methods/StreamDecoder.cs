namespace Restore.Compression.Methods;

/// <summary>
/// A decoder over a stream, for methods with a library that only decodes piece by piece.
/// </summary>
internal sealed class StreamDecoder(Func<ReadOnlyMemory<byte>, long, Stream> open) : IEntryDecoder
{
    public bool TryDecode(ReadOnlyMemory<byte> data, Span<byte> destination)
    {
        try
        {
            using Stream decoded = open(data, destination.Length);
            return decoded.ReadAtLeast(destination, destination.Length, throwOnEndOfStream: false) == destination.Length
                && decoded.ReadByte() < 0;
        }
        catch (InvalidDataException)
        {
            return false;
        }
    }

    public Stream Open(ReadOnlyMemory<byte> data, long lengthBytes) => open(data, lengthBytes);

    public void Dispose() { }
}
