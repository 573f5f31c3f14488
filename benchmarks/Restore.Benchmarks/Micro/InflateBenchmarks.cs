using System.IO.Compression;
using BenchmarkDotNet.Attributes;
using Restore.Benchmarks.Data;
using Restore.Compression;
using Restore.Compression.Methods;
using Restore.Compression.Zip;

namespace Restore.Benchmarks.Micro;

/// <summary>What does libdeflate save, on text and on data that hardly compresses?</summary>
public class InflateBenchmarks
{
    private const int BlockBytes = 1 << 20;

    // Random bytes in the hard block: Deflate reduces it to about three quarters.
    private const double HardRandomShare = 0.6;

    private readonly byte[] block = new byte[BlockBytes];
    private byte[] compressed = [];
    private IEntryDecoder? native;

    public enum Kind
    {
        Text,
        Hard,
    }

    [Params(Kind.Text, Kind.Hard)]
    public Kind Content { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        Random64 random = new(1);
        new TextPool(random).Piece(random, BlockBytes).CopyTo(block);
        for (int i = 0; Content == Kind.Hard && i < BlockBytes; i++)
        {
            block[i] = random.NextDouble() < HardRandomShare ? (byte)random.Next() : block[i];
        }

        using IDeflater deflater = new Codecs().CreateDeflater(6);
        compressed = new byte[BlockBytes];
        compressed = compressed[..deflater.Deflate(block, compressed)];
        native = new Codecs().CreateDecoder(ZipMethod.Deflate);
    }

    [GlobalCleanup]
    public void Cleanup() => native?.Dispose();

    [Benchmark(Baseline = true)]
    [BytesPerOperation(BlockBytes)]
    public void DeflateStream()
    {
        using DeflateStream stream = new(new MemoryStream(compressed), CompressionMode.Decompress);
        stream.ReadExactly(block);
    }

    /// <summary>By libdeflate if the system has it.</summary>
    [Benchmark]
    [BytesPerOperation(BlockBytes)]
    public void WholeBuffer()
    {
        if (!native!.TryDecode(compressed, block))
        {
            throw new InvalidOperationException("The block does not decode.");
        }
    }
}
