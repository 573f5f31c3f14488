namespace Restore.Volumes;

/// <summary>The place of a volume in <see cref="VolumeSet.All"/>.</summary>
internal readonly record struct VolumeId(int Value) : IId<VolumeId>
{
    /// <summary>No volume: the block is not located.</summary>
    public static readonly VolumeId None = new(-1);

    public bool IsNone => Value < 0;

    public static VolumeId Of(int value) => new(value);

    public static implicit operator int(VolumeId id) => id.Value;
}
