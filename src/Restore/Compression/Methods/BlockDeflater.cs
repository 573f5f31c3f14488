using System.IO.Compression;

namespace Restore.Compression.Methods;

/// <summary>Compresses blocks of any content in the way that suits each: as a whole, or only the parts that shrink, or not at all. Samples tell. Not safe for
/// concurrent use.</summary>
internal sealed class BlockDeflater(Codecs codecs, int level) : IDeflater
{
    // 1 KiB of every 64 shows whether the rest is worth trying: a sixty-fourth of the time, and it hardly ever misses a part that shrinks.
    private const int SampleBytes = 1 << 10;
    private const int SampleEveryBytes = 64 << 10;

    // Below this length most of the time of a higher level is to clear its tables; level 1 takes two thirds of it, for at most a hundredth more bytes.
    private const int TinyBytes = 2 << 10;

    private readonly IDeflater whole = codecs.CreateDeflater(level);
    private readonly IDeflater tiny = codecs.CreateDeflater(1);
    private readonly PiecewiseDeflater piecewise = new(level);
    private byte[] sample = [];
    private byte[] shrunk = [];

    public int Deflate(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        int samples = source.Length / SampleEveryBytes;
        if (samples == 0)
        {
            return (source.Length < TinyBytes ? tiny : whole).Deflate(source, destination);
        }

        int evenBytes = Sample(source, samples);
        ReadOnlySpan<byte> taken = sample.AsSpan(0, samples * SampleBytes);
        if (!Shrinks(taken))
        {
            return 0;
        }

        bool isMostlyEven = evenBytes > taken.Length / 2 && !Shrinks(taken[..evenBytes]);
        return (isMostlyEven ? piecewise : whole).Deflate(source, destination);
    }

    public void Dispose()
    {
        whole.Dispose();
        tiny.Dispose();
        piecewise.Dispose();
    }

    /// <summary>Takes the samples: those with an even spread of bytes from the front, the others from the back.</summary>
    private int Sample(ReadOnlySpan<byte> source, int samples)
    {
        if (sample.Length < samples * SampleBytes)
        {
            sample = new byte[samples * SampleBytes];
            shrunk = new byte[sample.Length];
        }

        int even = 0;
        for (int i = 0; i < samples; i++)
        {
            ReadOnlySpan<byte> one = source.Slice(i * SampleEveryBytes, SampleBytes);
            bool isEven = ByteSpread.IsEven(one);
            int place = isEven ? even : samples - 1 - (i - even);
            even += isEven ? 1 : 0;
            one.CopyTo(sample.AsSpan(place * SampleBytes));
        }

        return even * SampleBytes;
    }

    private bool Shrinks(ReadOnlySpan<byte> data) => whole.Deflate(data, shrunk.AsSpan(0, data.Length - (data.Length / 64))) > 0;
}

/// <summary>Recognizes data in which no byte value is more frequent than others: random, encrypted or compressed data.</summary>
internal static class ByteSpread
{
    // Codes of different lengths save at most a hundredth of data that is this close to even. Chance alone is five times closer, from 1 KiB on.
    private const int Tolerance = 8;

    /// <summary>Whether the byte values are about equally frequent. Repetitions are not looked for.</summary>
    public static bool IsEven(ReadOnlySpan<byte> data)
    {
        Span<int> counts = stackalloc int[256];
        counts.Clear();
        foreach (byte value in data)
        {
            counts[value]++;
        }

        // The pairs of equal bytes: of random data one pair in 256 is equal.
        long equalPairs = 0;
        foreach (int count in counts)
        {
            equalPairs += (long)count * (count - 1);
        }

        long pairs = (long)data.Length * (data.Length - 1);
        return equalPairs * 256 <= pairs + (pairs / Tolerance);
    }
}

/// <summary>Compresses a block of which only parts shrink to one Deflate stream: those parts are compressed, each on its own, and the others are stored between
/// them. A compressed part ends at a byte, with the empty stored block of a flush. Not safe for concurrent use.</summary>
internal sealed class PiecewiseDeflater(int level) : IDeflater
{
    private const int PieceBytes = 4 << 10;

    // To begin another compressed part costs more time than compressing this for nothing.
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

        // What the stream adds when it is disposed, its last block, is left out.
        int length = (int)compressed.Length;
        return compressed.GetBuffer().AsSpan(0, length).TryCopyTo(destination) ? length : 0;
    }

    private void Divide(ReadOnlySpan<byte> source)
    {
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

/// <summary>Compresses whole buffers to raw Deflate data, one after the other. Not safe for concurrent use.</summary>
internal interface IDeflater : IDisposable
{
    /// <summary>Length of the compressed data; 0 if it does not fit.</summary>
    int Deflate(ReadOnlySpan<byte> source, Span<byte> destination);
}

internal sealed class LibDeflateDeflater(LibDeflate library, int level) : IDeflater
{
    private nint compressor = library.CreateCompressor(level);

    public int Deflate(ReadOnlySpan<byte> source, Span<byte> destination) => library.Deflate(compressor, source, destination);

    public void Dispose()
    {
        if (compressor != 0)
        {
            library.FreeCompressor(compressor);
            compressor = 0;
        }
    }
}

/// <summary>Compresses with <see cref="DeflateStream"/>, where libdeflate is missing.</summary>
internal sealed class StreamDeflater(int level) : IDeflater
{
    private readonly MemoryStream compressed = new();
    private readonly ZLibCompressionOptions options = new() { CompressionLevel = level };

    public int Deflate(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        compressed.SetLength(0);
        using (DeflateStream deflate = new(compressed, options, leaveOpen: true))
        {
            deflate.Write(source);
        }

        return compressed.GetBuffer().AsSpan(0, (int)compressed.Length).TryCopyTo(destination) ? (int)compressed.Length : 0;
    }

    public void Dispose() => compressed.Dispose();
}
