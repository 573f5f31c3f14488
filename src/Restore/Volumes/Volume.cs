namespace Restore.Volumes;

internal sealed record Volume(VolumeId Id, VolumeName Name, long SizeBytes)
{
    /// <summary>Whether the store has only its parity file.</summary>
    public bool IsMissing { get; init; }

    public bool IsMended { get; init; }

    /// <summary>The class of archive storage that the store lists it in; null if it can be read.</summary>
    public string? ArchiveTier { get; init; }

    public string FileName => Name.Name;

    public bool HasText => Name.Encryption == EncryptionKind.Gpg;

    /// <summary>The memory for so many of its bytes until they are used.</summary>
    public long MemoryFor(long bytes) => HasText ? 2 * Math.Min(bytes, long.MaxValue / 2) : bytes;
}

/// <summary>The place of a volume in <see cref="VolumeSet.All"/>.</summary>
internal readonly record struct VolumeId(int Value) : IId<VolumeId>
{
    /// <summary>No volume: the block is not located.</summary>
    public static readonly VolumeId None = new(-1);

    public bool IsNone => Value < 0;

    public static VolumeId Of(int value) => new(value);

    public static implicit operator int(VolumeId id) => id.Value;
}
