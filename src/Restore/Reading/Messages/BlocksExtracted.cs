using Restore.Catalog;
using Restore.Csp;
using Restore.Memory;

namespace Restore.Reading.Messages;

/// <summary>
/// The bytes of a block, verified by its hash if <see cref="FetchList.NeedsOwnHash"/>: a part of a pooled buffer of which the holder owns one use.
/// </summary>
/// <param name="Block">Which block.</param>
/// <param name="Buffer">The buffer; other blocks may be in it.</param>
/// <param name="Offset">Where in it the block starts.</param>
/// <param name="Length">The length of the block.</param>
/// <param name="IsShared">Whether the buffer holds more than this block, so that keeping it would pin the rest.</param>
internal readonly record struct BlockBytes(BlockId Block, PooledBuffer Buffer, int Offset, int Length, bool IsShared) : IDisposable, IMeasured
{
    public ReadOnlyMemory<byte> Memory => Buffer.Array.AsMemory(Offset, Length);

    public ReadOnlySpan<byte> Span => Buffer.Array.AsSpan(Offset, Length);

    public long Bytes => Length;

    /// <summary>Gives back the use of the buffer, if there is one.</summary>
    public void Dispose() => Buffer?.Dispose();
}

/// <summary>A run of blocks out of one volume. The last message of a volume says so, and whether anything was wrong with the volume.</summary>
internal sealed class BlocksExtracted(WantedVolume wanted) : Run<BlockBytes>
{
    public WantedVolume Wanted { get; } = wanted;

    /// <summary>How the volume ended, in its last message: the blocks not delivered by then are not in it. Null in all other messages.</summary>
    public VolumeEnd? End { get; init; }
}

/// <summary>How a volume ended.</summary>
/// <param name="IsReadInPart">Whether only the wanted entries of it were read; for the report.</param>
/// <param name="Defects">What was wrong with it, as sentences.</param>
internal sealed record VolumeEnd(bool IsReadInPart, IReadOnlyList<string> Defects);
