using Restore.Catalog;
using Restore.Csp;
using Restore.Volumes;

namespace Restore.Reading.Messages;

/// <summary>The bytes of a volume with the credit for their memory; or the reason why nothing could be read.</summary>
internal sealed class VolumeFetched(WantedVolume wanted, FetchedVolume? volume, string? failure) : IDisposable, IMeasured
{
    private FetchedVolume? volume = volume;

    public WantedVolume Wanted { get; } = wanted;

    /// <summary>Why there is no volume; null if there is one.</summary>
    public string? Failure { get; } = failure;

    public long Bytes => volume?.LengthBytes ?? 0;

    /// <summary>Takes the volume out of the message; null if there is none.</summary>
    public FetchedVolume? TakeVolume()
    {
        FetchedVolume? taken = volume;
        volume = null;
        return taken;
    }

    public void Dispose() => volume?.Dispose();
}
