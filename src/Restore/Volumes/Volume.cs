using Restore.Format;

namespace Restore.Volumes;

/// <summary>A volume in the store.</summary>
/// <param name="Id">Its place in <see cref="VolumeSet.All"/>.</param>
/// <param name="Name">Its parsed name.</param>
/// <param name="SizeBytes">Its size as the store lists it.</param>
internal sealed record Volume(VolumeId Id, VolumeName Name, long SizeBytes)
{
    /// <summary>Whether the store has only its parity file.</summary>
    public bool IsMissing { get; init; }

    /// <summary>Whether it is read from a repaired copy.</summary>
    public bool IsMended { get; init; }

    /// <summary>Its name in the store.</summary>
    public string FileName => Name.Name;

    /// <summary>Whether its decryption makes a text beside the message.</summary>
    public bool HasText => Name.Encryption == EncryptionKind.Gpg;

    /// <summary>The memory for so many of its bytes until they are used.</summary>
    public long MemoryFor(long bytes) => HasText ? 2 * Math.Min(bytes, long.MaxValue / 2) : bytes;
}
