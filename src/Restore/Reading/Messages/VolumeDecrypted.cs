using Restore.Catalog;
using Restore.Csp;
using Restore.Encryption;
using Restore.Volumes;

namespace Restore.Reading.Messages;

/// <summary>The plain archive of a volume, whose buffer carries the credit; or, when there is none, the reason.</summary>
internal sealed class VolumeDecrypted(WantedVolume demand, DecryptedVolume? plain, string? failure) : IDisposable, IMeasured
{
    public WantedVolume Demand { get; } = demand;

    public DecryptedVolume? Plain { get; } = plain;

    /// <summary>The wanted entries, when <see cref="Plain"/> has only those.</summary>
    public VolumePart? Part { get; init; }

    /// <summary>What is wrong with the volume, as a sentence; with <see cref="Plain"/> present its blocks may still be used one by one.</summary>
    public string? Failure { get; } = failure;

    public long Bytes => Plain?.Length ?? 0;

    public void Dispose() => Plain?.Buffer.Dispose();
}
