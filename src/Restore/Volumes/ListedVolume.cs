namespace Restore.Volumes;

/// <summary>A volume as a store lists it.</summary>
/// <param name="Name">Its name in the store, and what it says.</param>
/// <param name="SizeBytes">Its size in bytes.</param>
/// <param name="Original">The name that it had when it was made.</param>
/// <param name="ArchiveTier">The class of archive storage that it is in; null if it can be
/// read.</param>
internal readonly record struct ListedVolume(
    VolumeName Name,
    long SizeBytes,
    string Original,
    string? ArchiveTier = null
)
{
    public static ListedVolume Of(VolumeName name, StoredFile file) =>
        new(name with { Name = file.Name }, file.SizeBytes, name.Name, file.ArchiveTier);

    /// <summary>The same for a volume and all its copies.</summary>
    public string Identity =>
        Name.Kind == VolumeKind.FileList
            ? $"{Name.Prefix}-{Timestamp.Format(Name.Time)}.{Name.Archive}.{Name.Encryption}"
            : $"{Name.Prefix}-{Name.Kind}{Name.Guid}.{Name.Archive}.{Name.Encryption}";
}
