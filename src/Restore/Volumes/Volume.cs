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
}
