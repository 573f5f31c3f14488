namespace Restore.Interop;

/// <summary>
/// The kernel's struct statx. Its layout is the same on every architecture, unlike the layout of
/// struct stat.
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal struct FileStatus
{
    private const int KindBits = 0xF000;
    private const uint HasMountId = 0x1000;

    /// <summary>Which fields the kernel has filled.</summary>
    [FieldOffset(0)]
    public uint Mask;

    [FieldOffset(16)]
    public uint LinkCount;

    [FieldOffset(20)]
    public uint User;

    [FieldOffset(24)]
    public uint Group;

    [FieldOffset(28)]
    public ushort RawMode;

    [FieldOffset(32)]
    public ulong Number;

    [FieldOffset(40)]
    public long SizeBytes;

    /// <summary>The time of the last change of any kind. No program can set it.</summary>
    [FieldOffset(96)]
    public long ChangedSeconds;

    [FieldOffset(104)]
    public uint ChangedNanoseconds;

    [FieldOffset(112)]
    public long ModifiedSeconds;

    [FieldOffset(120)]
    public uint ModifiedNanoseconds;

    [FieldOffset(136)]
    public uint DeviceMajor;

    [FieldOffset(140)]
    public uint DeviceMinor;

    [FieldOffset(144)]
    public ulong RawMountId;

    /// <summary>
    /// The number of the mount that it was reached through; null before Linux 5.8.
    /// </summary>
    public readonly ulong? MountId => (Mask & HasMountId) != 0 ? RawMountId : null;

    public readonly (uint Major, uint Minor) Device => (DeviceMajor, DeviceMinor);

    /// <summary>Permission bits with setuid, setgid and sticky.</summary>
    public readonly int Mode => RawMode & 0xFFF;

    public readonly long ModifiedTicks => new UnixTime(ModifiedSeconds, ModifiedNanoseconds).ToTicks();

    public readonly long ChangedTicks => new UnixTime(ChangedSeconds, ChangedNanoseconds).ToTicks();

    public readonly bool IsFile => (RawMode & KindBits) == 0x8000;

    public readonly bool IsFolder => (RawMode & KindBits) == 0x4000;

    public readonly bool IsSymlink => (RawMode & KindBits) == 0xA000;
}
