using Restore.Catalog;
using Restore.Csp;

namespace Restore.Reading.Messages;

/// <summary>A volume to be fetched, with the credit for its bytes in memory.</summary>
internal sealed class VolumeRequested(WantedVolume demand, VolumeCredit.Share credit) : IDisposable, IMeasured
{
    private VolumeCredit.Share? credit = credit;

    public WantedVolume Demand { get; } = demand;

    public long Bytes => 0;

    /// <summary>Takes the credit out of the message: it goes on with the volume's bytes.</summary>
    public VolumeCredit.Share TakeCredit()
    {
        VolumeCredit.Share taken = credit ?? throw new InvalidOperationException("The credit was taken already");
        credit = null;
        return taken;
    }

    public void Dispose() => credit?.Dispose();
}
