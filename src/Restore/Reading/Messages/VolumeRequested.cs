using Restore.Catalog;
using Restore.Csp;
using Restore.Volumes;

namespace Restore.Reading.Messages;

/// <summary>A volume to fetch, with the credit for its bytes in memory.</summary>
internal sealed class VolumeRequested(WantedVolume wanted, VolumeCredit.Share credit) : IDisposable, IMeasured
{
    private VolumeCredit.Share? credit = credit;

    public WantedVolume Wanted { get; } = wanted;

    public long Bytes => 0;

    /// <summary>Takes as much credit out of the message as a fetched volume needs: the credit stays with the bytes of the volume.</summary>
    public VolumeCredit.Share TakeCredit(FetchedVolume volume)
    {
        VolumeCredit.Share taken = credit ?? throw new InvalidOperationException("The credit was taken already");
        taken.Shrink(volume.MemoryBytes);
        credit = null;
        return taken;
    }

    public void Dispose() => credit?.Dispose();
}
