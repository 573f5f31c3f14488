namespace Restore.Format;

/// <summary>Where a <see cref="JsonStreamReader"/> stopped, with what it owns.</summary>
internal sealed record JsonPosition(
    Stream Stream,
    ArrayBufferWriter<byte> Unescaped,
    byte[] Buffer,
    int Start,
    int End,
    long Dropped,
    bool IsEnd,
    bool IsCutKnown,
    JsonReaderState State
) : IDisposable
{
    public void Dispose() => ArrayPool<byte>.Shared.Return(Buffer);
}
