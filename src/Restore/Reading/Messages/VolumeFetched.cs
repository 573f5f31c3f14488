using Restore.Catalog;
using Restore.Csp;
using Restore.Memory;
using Restore.Volumes;

namespace Restore.Reading.Messages;

/// <summary>A volume as it is in the store, or a part of it in plain, in memory, with the credit for it; or, when it could not be read, the reason.</summary>
internal sealed class VolumeFetched(WantedVolume demand, VolumeCredit.Share credit, PooledBuffer? buffer, VolumePart? part, string? failure)
    : IDisposable, IMeasured
{
    private PooledBuffer? buffer = part?.Buffer ?? buffer;
    private VolumeCredit.Share? credit = credit;

    public WantedVolume Demand { get; } = demand;

    /// <summary>The wanted entries, when the buffer has only those, decrypted.</summary>
    public VolumePart? Part { get; } = part;

    /// <summary>Why there is no buffer, as a sentence; null when there is one.</summary>
    public string? Failure { get; } = failure;

    public long Bytes => buffer?.Length ?? 0;

    /// <summary>Takes the buffer out of the message.</summary>
    public PooledBuffer TakeBuffer()
    {
        PooledBuffer taken = buffer ?? throw new InvalidOperationException("The buffer was taken already");
        buffer = null;
        return taken;
    }

    /// <summary>Takes the credit out of the message.</summary>
    public VolumeCredit.Share TakeCredit()
    {
        VolumeCredit.Share taken = credit ?? throw new InvalidOperationException("The credit was taken already");
        credit = null;
        return taken;
    }

    public void Dispose()
    {
        buffer?.Dispose();
        credit?.Dispose();
    }
}
