using System.IO.Hashing;
using Restore.Compression.Methods;
using Restore.Compression.Zip;
using Restore.Writing.Messages;

namespace Restore.Writing.Processes;

/// <summary>Compresses blocks; stores blocks that do not shrink.</summary>
internal sealed class BlockCompressor(WriterSettings settings, BufferPool pool) : IDisposable
{
    private readonly BlockDeflater? deflater =
        settings.Options.CompressionLevel == 0
            ? null
            : new BlockDeflater(settings.Codecs, settings.Options.CompressionLevel);

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
        uint crc = Crc32.HashToUInt32(block.Data.Span);
        if (deflater is not null && !block.IsBlocklist && !block.IsStored && length > 1)
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
}
