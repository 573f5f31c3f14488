using Restore.Catalog;
using Restore.Csp;
using Restore.Volumes;

namespace Restore.Reading.Messages;

/// <summary>A volume in plain, which carries the credit for its memory; or, if there is none, the reason.</summary>
internal sealed class VolumeDecrypted(WantedVolume wanted, FetchedVolume? volume, string? failure) : IDisposable, IMeasured
{
    public WantedVolume Wanted { get; } = wanted;

    /// <summary>The volume; with a defect its blocks may still be used one by one.</summary>
    public FetchedVolume? Volume { get; } = volume;

    /// <summary>Why there is no volume, as a sentence; null if there is one.</summary>
    public string? Failure { get; } = failure;

    public long Bytes => Volume?.LengthBytes ?? 0;

    public void Dispose() => Volume?.Dispose();
}
