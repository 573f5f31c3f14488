using Restore.Catalog;
using Restore.Csp;
using Restore.Volumes;

namespace Restore.Reading.Messages;

/// <summary>A decrypted volume with the credit for its memory; or the reason why there is none.</summary>
internal sealed class VolumeDecrypted(WantedVolume wanted, FetchedVolume? volume, string? failure) : IDisposable, IMeasured
{
    public WantedVolume Wanted { get; } = wanted;

    /// <summary>The volume; if it has a defect, its blocks may still be used one by one.</summary>
    public FetchedVolume? Volume { get; } = volume;

    /// <summary>Why there is no volume; null if there is one.</summary>
    public string? Failure { get; } = failure;

    public long Bytes => Volume?.LengthBytes ?? 0;

    public void Dispose() => Volume?.Dispose();
}
