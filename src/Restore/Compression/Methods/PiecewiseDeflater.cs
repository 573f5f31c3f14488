using System.IO.Compression;

namespace Restore.Compression.Methods;

/// <summary>
/// Compresses a block to one Deflate stream if only parts of it shrink: these parts are compressed,
/// each on its own, and the other parts are stored between them. A compressed part ends at a byte,
/// with the empty stored block of a flush. Not safe for concurrent use.
/// </summary>
internal sealed class PiecewiseDeflater(int level) : IDeflater
{
    private const int PieceBytes = 4 << 10;

    // Starting another compressed part takes more time than compressing this many bytes in vain.
    private const int MinStoredBytes = 16 << 10;
    private readonly MemoryStream compressed = new();
    private readonly ZLibCompressionOptions options = new() { CompressionLevel = level };
    private readonly List<Part> pieces = [];
    private readonly List<Part> parts = [];

    public int Deflate(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        Divide(source);
        int written = 0;
        foreach (Part part in parts)
        {
            ReadOnlySpan<byte> data = source[..part.LengthBytes];
            int length = part.IsStored ? Store(data, destination[written..]) : Compress(data, destination[written..]);
            if (length == 0)
            {
                return 0;
            }

            written += length;
            source = source[part.LengthBytes..];
        }

        return StoredBlock.End.TryCopyTo(destination[written..]) ? written + StoredBlock.End.Length : 0;
    }

    public void Dispose() => compressed.Dispose();

    private static void Add(List<Part> parts, Part part)
    {
        if (parts.Count > 0 && parts[^1].IsStored == part.IsStored)
        {
            parts[^1] = part with { LengthBytes = parts[^1].LengthBytes + part.LengthBytes };
        }
        else
        {
            parts.Add(part);
        }
    }

    private static int Store(ReadOnlySpan<byte> data, Span<byte> destination)
    {
        int written = 0;
        while (!data.IsEmpty)
        {
            ReadOnlySpan<byte> block = data[..Math.Min(data.Length, StoredBlock.MaxBytes)];
            if (destination.Length < written + StoredBlock.HeaderBytes + block.Length)
            {
                return 0;
            }

            Span<byte> header = destination[written..];
            StoredBlock.WriteHeader(header, block.Length);
            block.CopyTo(header[StoredBlock.HeaderBytes..]);
            written += StoredBlock.HeaderBytes + block.Length;
            data = data[block.Length..];
        }

        return written;
    }

    private int Compress(ReadOnlySpan<byte> data, Span<byte> destination)
    {
        compressed.SetLength(0);
        using DeflateStream deflate = new(compressed, options, leaveOpen: true);
        deflate.Write(data);
        deflate.Flush();

        // The last block, which the stream adds when it is disposed, is left out.
        int length = (int)compressed.Length;
        return compressed.GetBuffer().AsSpan(0, length).TryCopyTo(destination) ? length : 0;
    }

    private void Divide(ReadOnlySpan<byte> source)
    {
        // First pieces of equal kind are joined to parts. Then a stored part that is too short
        // becomes a compressed one, and is joined with its neighbors.
        pieces.Clear();
        for (int offset = 0; offset < source.Length; offset += PieceBytes)
        {
            int length = Math.Min(PieceBytes, source.Length - offset);
            Add(pieces, new Part(length, ByteSpread.IsEven(source.Slice(offset, length))));
        }

        parts.Clear();
        foreach (Part part in pieces)
        {
            Add(parts, part with { IsStored = part.IsStored && part.LengthBytes >= MinStoredBytes });
        }
    }

    private readonly record struct Part(int LengthBytes, bool IsStored);
}
