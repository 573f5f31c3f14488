using System.Buffers;

namespace Restore.Format;

/// <summary>A growing list of bytes that reuses its memory after <see cref="Clear"/>.</summary>
internal sealed class PooledBytes : IDisposable
{
    private byte[] array = [];

    public int Length { get; private set; }

    public ReadOnlySpan<byte> Span => array.AsSpan(0, Length);

    public void Clear() => Length = 0;

    /// <summary>Room for <paramref name="count"/> more bytes; call <see cref="Advance"/> with the number of bytes that were used.</summary>
    public Span<byte> Room(int count)
    {
        if (array.Length - Length < count)
        {
            byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(Length + count, array.Length * 2));
            Span.CopyTo(larger);
            ArrayPool<byte>.Shared.Return(array);
            array = larger;
        }

        return array.AsSpan(Length, count);
    }

    public void Advance(int count) => Length += count;

    public void Append(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(Room(bytes.Length));
        Length += bytes.Length;
    }

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(array);
        array = [];
        Length = 0;
    }
}
