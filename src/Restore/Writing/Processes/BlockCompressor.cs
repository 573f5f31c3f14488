using Restore.Compression;
using Restore.Compression.Methods;
using Restore.Compression.Zip;
using Restore.Csp;
using Restore.Memory;
using Restore.Writing.Messages;

namespace Restore.Writing.Processes;

/// <summary>Compresses blocks; stores those that do not shrink.</summary>
internal sealed class BlockCompressor(WriterSettings settings, BufferPool pool) : IDisposable
{
    // 1 KiB of every 64 shows whether the rest is worth trying: a sixty-fourth of the time, and it hardly ever misses a part that shrinks.
    private const int SampleBytes = 1 << 10;
    private const int SampleEveryBytes = 64 << 10;

    private readonly IDeflater? deflater = settings.Options.CompressionLevel == 0 ? null : settings.Codecs.CreateDeflater(settings.Options.CompressionLevel);

    public async Task RunAsync(IReadChannelEnd<BlocksHashed> input, IWriteChannelEnd<BlocksCompressed> output)
    {
        await foreach (BlocksHashed hashed in input.ReadAllAsync().ConfigureAwait(false))
        {
            using BlocksHashed owned = hashed;
            await output.WriteAsync(Compress(hashed)).ConfigureAwait(false);
        }
    }

    public void Dispose() => deflater?.Dispose();

    private BlocksCompressed Compress(BlocksHashed hashed)
    {
        BlocksCompressed compressed = new();
        while (hashed.TryTake(out HashedBlock block))
        {
            compressed.Add(Compress(block));
        }

        return compressed;
    }

    /// <summary>Compresses one block; takes over its data.</summary>
    public CompressedBlock Compress(in HashedBlock block)
    {
        int length = block.Data.Length;
        uint crc = settings.Codecs.Crc32(block.Data.Span);
        if (deflater is not null && !block.IsBlocklist && !block.IsStored && IsWorthwhile(deflater, block.Data.Span))
        {
            // One byte less than the block: data that does not shrink does not fit.
            PooledBuffer shrunk = pool.Rent(length - 1);
            int compressedLength = deflater.Deflate(block.Data.Span, shrunk.Span);
            if (compressedLength > 0)
            {
                shrunk.Truncate(compressedLength);
                block.Data.Dispose();
                return new CompressedBlock(block.Hash, shrunk, ZipMethod.Deflate, crc, length, IsBlocklist: false);
            }

            shrunk.Dispose();
        }

        return new CompressedBlock(block.Hash, block.Data, ZipMethod.Stored, crc, length, block.IsBlocklist);
    }

    private bool IsWorthwhile(IDeflater candidate, ReadOnlySpan<byte> data)
    {
        if (data.Length < SampleEveryBytes)
        {
            return data.Length > 1;
        }

        int samples = data.Length / SampleEveryBytes;
        using PooledBuffer sample = pool.Rent(samples * SampleBytes);
        for (int i = 0; i < samples; i++)
        {
            data.Slice(i * SampleEveryBytes, SampleBytes).CopyTo(sample.Span[(i * SampleBytes)..]);
        }

        using PooledBuffer shrunk = pool.Rent(sample.Length - (sample.Length / 64));
        return candidate.Deflate(sample.Span, shrunk.Span) > 0;
    }
}
