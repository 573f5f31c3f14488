using Restore.Catalog;
using Restore.Csp;
using Restore.Memory;

namespace Restore.Reading.Messages;

/// <summary>
/// The bytes of a block, verified by its hash if <see cref="FetchList.NeedsOwnHash"/>: a part of a pooled buffer. The holder owns one use of the buffer.
/// </summary>
/// <param name="Block">The block.</param>
/// <param name="Buffer">The buffer; may contain other blocks.</param>
/// <param name="Offset">The offset of the block.</param>
/// <param name="Length">The length of the block.</param>
/// <param name="IsShared">Whether the buffer holds more than this block, so that keeping the block would pin the others.</param>
internal readonly record struct BlockBytes(BlockId Block, PooledBuffer Buffer, int Offset, int Length, bool IsShared) : IDisposable, IMeasured
{
    public ReadOnlyMemory<byte> Memory => Buffer.Array.AsMemory(Offset, Length);

    public ReadOnlySpan<byte> Span => Buffer.Array.AsSpan(Offset, Length);

    public long Bytes => Length;

    /// <summary>Whether the archive has the block without compression.</summary>
    public bool IsStored { get; init; }

    /// <summary>The block as the archive has it, compressed by Deflate, if <see cref="FetchList.KeepsPacked"/>; else null.</summary>
    public PackedBytes? Packed { get; init; }

    /// <summary>Returns the use of the buffer, if there is one.</summary>
    public void Dispose()
    {
        Buffer?.Dispose();
        Packed?.Dispose();
    }
}

/// <summary>A compressed block in the buffer of its volume; the holder owns one use of the buffer.</summary>
internal sealed class PackedBytes(PooledBuffer buffer, int offset, int length) : IDisposable
{
    public ReadOnlySpan<byte> Span => buffer.Array.AsSpan(offset, length);

    public void Dispose() => buffer.Dispose();
}

/// <summary>A batch of blocks from one volume. The last message of a volume says so, and has the defects of the volume.</summary>
internal sealed class BlocksExtracted(WantedVolume wanted) : Batch<BlockBytes>
{
    public WantedVolume Wanted { get; } = wanted;

    /// <summary>In the last message of a volume: how it ended. Blocks not delivered by then are not in the volume. Null in all other messages.</summary>
    public VolumeEnd? End { get; init; }
}

/// <summary>How a volume ended.</summary>
/// <param name="IsReadInPart">Whether only its needed entries were read; for the report.</param>
/// <param name="Defects">Its defects.</param>
internal sealed record VolumeEnd(bool IsReadInPart, IReadOnlyList<string> Defects)
{
    /// <summary>Bytes of the volume that were read.</summary>
    public long FetchedBytes { get; init; }
}
