namespace Restore.Volumes;

internal sealed record Volume(VolumeId Id, VolumeName Name, long SizeBytes)
{
    /// <summary>Whether the store has only its parity file.</summary>
    public bool IsMissing { get; init; }

    public bool IsMended { get; init; }

    /// <summary>
    /// The class of archive storage that the store lists it in; null if it can be read.
    /// </summary>
    public string? ArchiveTier { get; init; }

    public string FileName => Name.Name;

    public bool HasText => Name.Encryption == EncryptionKind.Gpg;

    /// <summary>The memory for so many of its bytes until they are used.</summary>
    public long MemoryFor(long bytes) => HasText ? 2 * Math.Min(bytes, long.MaxValue / 2) : bytes;
}
