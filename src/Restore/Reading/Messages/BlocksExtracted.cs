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
internal sealed class BlocksExtracted(WantedVolume demand) : Run<BlockBytes>
{
    public WantedVolume Demand { get; } = demand;

    /// <summary>Whether no more blocks of this volume will come: those not delivered by now are not in it.</summary>
    public bool IsLast { get; init; }

    /// <summary>Whether only the wanted entries of the volume were read (in the last message).</summary>
    public bool IsReadInPart { get; init; }

    /// <summary>What was wrong with the volume, as sentences (in the last message).</summary>
    public List<string> Defects { get; } = [];
}
