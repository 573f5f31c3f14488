namespace Restore.Reading;

/// <summary>A volume to fetch, with the credit for its bytes in memory.</summary>
internal sealed class VolumeRequested(WantedVolume wanted, VolumeCredit.Share credit) : IDisposable, IMeasured
{
    private VolumeCredit.Share? credit = credit;

    public WantedVolume Wanted { get; } = wanted;

    public long Bytes => 0;

    /// <summary>
    /// Takes as much credit out of the message as a fetched volume needs: the credit stays with the
    /// bytes of the volume.
    /// </summary>
    public VolumeCredit.Share TakeCredit(VolumeReader volume)
    {
        VolumeCredit.Share taken = credit ?? throw new InvalidOperationException("The credit was taken already");
        taken.Shrink(volume.MemoryBytes);
        credit = null;
        return taken;
    }

    public void Dispose() => credit?.Dispose();
}

/// <summary>
/// The bytes of a volume with the credit for their memory, or the reason why nothing could be read.
/// </summary>
internal sealed class VolumeFetched(WantedVolume wanted, VolumeReader? volume, IssueReason? failure)
    : IDisposable,
        IMeasured
{
    private VolumeReader? volume = volume;

    public WantedVolume Wanted { get; } = wanted;

    /// <summary>Why there is no volume; null if there is one.</summary>
    public IssueReason? Failure { get; } = failure;

    public long Bytes => volume?.LengthBytes ?? 0;

    /// <summary>Takes the volume out of the message; null if the message has no volume.</summary>
    public VolumeReader? TakeVolume()
    {
        VolumeReader? taken = volume;
        volume = null;
        return taken;
    }

    public void Dispose() => volume?.Dispose();
}

/// <summary>
/// A decrypted volume with the credit for its memory, or the reason why there is no volume.
/// </summary>
internal sealed class VolumeDecrypted(WantedVolume wanted, VolumeReader? volume, IssueReason? failure)
    : IDisposable,
        IMeasured
{
    public WantedVolume Wanted { get; } = wanted;

    /// <summary>The volume; if it has a defect, its blocks may still be used one by one.</summary>
    public VolumeReader? Volume { get; } = volume;

    /// <summary>Why there is no volume; null if there is one.</summary>
    public IssueReason? Failure { get; } = failure;

    public long Bytes => Volume?.LengthBytes ?? 0;

    public void Dispose() => Volume?.Dispose();
}

/// <summary>
/// The bytes of a block, verified by its hash if <see cref="FetchList.NeedsOwnHash"/>: a part of a
/// pooled buffer. The holder owns one use of the buffer.
/// </summary>
/// <param name="IsShared">Whether the buffer holds more than this block, so that keeping the block
/// would pin the others.</param>
internal readonly record struct BlockBytes(BlockId Block, PooledBuffer Buffer, int Offset, int Length, bool IsShared)
    : IDisposable,
        IMeasured
{
    public ReadOnlyMemory<byte> Memory => Buffer.Room.Slice(Offset, Length);

    public ReadOnlySpan<byte> Span => Buffer.Room.Span.Slice(Offset, Length);

    public long Bytes => Length;

    /// <summary>Whether the archive has the block without compression.</summary>
    public bool IsStored { get; init; }

    /// <summary>
    /// The block as the archive has it, compressed by Deflate, if
    /// <see cref="FetchList.KeepsPacked"/>; else null.
    /// </summary>
    public PackedBytes? Packed { get; init; }

    public void Dispose()
    {
        Buffer?.Dispose();
        Packed?.Dispose();
    }
}

/// <summary>
/// A compressed block in the buffer of its volume; the holder owns one use of the buffer.
/// </summary>
internal sealed class PackedBytes(PooledBuffer buffer, int offset, int length) : IDisposable
{
    public ReadOnlySpan<byte> Span => buffer.Room.Span.Slice(offset, length);

    public void Dispose() => buffer.Dispose();
}

internal sealed class BlocksExtracted(WantedVolume wanted) : Batch<BlockBytes>
{
    public WantedVolume Wanted { get; } = wanted;

    /// <summary>
    /// In the last message of a volume: how it ended. Blocks not delivered by then are not in the
    /// volume. Null in all other messages.
    /// </summary>
    public VolumeEnd? End { get; init; }
}

/// <param name="IsReadInPart">Whether only its needed entries were read; for the report.</param>
internal sealed record VolumeEnd(bool IsReadInPart, IReadOnlyList<string> Defects)
{
    /// <summary>The code of the defects, if nothing of the volume could be read.</summary>
    public IssueCode Code { get; init; }

    public long FetchedBytes { get; init; }
}
