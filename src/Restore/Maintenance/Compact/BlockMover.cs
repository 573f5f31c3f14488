using System.IO.Hashing;
using Restore.Compression.Zip;
using Restore.Reading;
using Restore.Writing;
using Restore.Writing.Messages;
using Restore.Writing.Processes;

namespace Restore.Maintenance.Compact;

/// <summary>
/// Passes verified blocks on to new volumes. A block keeps its compressed form, unless the archives
/// that this library writes cannot have it. Blocks that stay where they are were read only to
/// verify them.
/// </summary>
internal sealed class BlockMover(
    CompactWork work,
    BlockId[] numbers,
    WriterSettings settings,
    BufferPool pool,
    ProgressMeter progress
) : IDisposable
{
    private readonly BlockCompressor compressor = new(settings, pool);
    private readonly BitSet arrived = new(numbers.Length);

    public long Moved { get; private set; }

    public async Task RunAsync(IReadChannelEnd<BlocksExtracted> input, IWriteChannelEnd<BlocksCompressed> output)
    {
        await foreach (BlocksExtracted extracted in input.ReadAllAsync().ConfigureAwait(false))
        {
            using BlocksExtracted owned = extracted;
            BlocksCompressed packed = new();
            while (extracted.TryTake(out BlockBytes block))
            {
                using BlockBytes taken = block;
                Take(taken, packed);
            }

            if (extracted.End is not null)
            {
                progress.VolumeDone();
                progress.Report();
            }

            if (packed.Count > 0)
            {
                await output.WriteAsync(packed).ConfigureAwait(false);
            }
        }
    }

    public IEnumerable<BlockId> Arrived() => numbers.Where((_, i) => arrived[i]);

    public void Dispose() => compressor.Dispose();

    private void Take(in BlockBytes block, BlocksCompressed packed)
    {
        BlockId number = numbers[block.Block];

        // An archive can have a block twice. One copy is enough.
        if (!arrived[block.Block] && work.IsMoved(number))
        {
            packed.Add(Pack(block, number));
            Moved++;
        }

        arrived[block.Block] = true;
        progress.EntryDone(block.Length, isFile: false);
    }

    private CompressedBlock Pack(in BlockBytes block, BlockId number)
    {
        byte[] hash = work.References.HashOf(number).ToArray();
        bool isBlocklist = work.References.Blocklists.Contains(number);
        uint crc = Crc32.HashToUInt32(block.Span);

        // Hashes do not compress, and a block that is stored was tried by the writer before.
        if (isBlocklist || block.IsStored)
        {
            return new CompressedBlock(hash, Copy(block.Span), ZipMethod.Stored, crc, block.Length, isBlocklist);
        }

        return block.Packed is { } packed
            ? new CompressedBlock(hash, Copy(packed.Span), ZipMethod.Deflate, crc, block.Length, IsBlocklist: false)
            : compressor.Compress(new HashedBlock(hash, Copy(block.Span), IsBlocklist: false));
    }

    /// <summary>
    /// Copies the bytes, so that the memory of the volume that they came from is free for the next
    /// volume.
    /// </summary>
    private PooledBuffer Copy(ReadOnlySpan<byte> bytes)
    {
        PooledBuffer copy = pool.Rent(bytes.Length);
        bytes.CopyTo(copy.Span);
        return copy;
    }
}
