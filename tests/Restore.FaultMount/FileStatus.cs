using System.Runtime.InteropServices;

namespace Restore.FaultMount;

/// <summary>What the system tells about an entry (<c>struct statx</c>).</summary>
[StructLayout(LayoutKind.Sequential, Size = 256)]
internal struct FileStatus
{
    public uint Mask;
    public uint BlockBytes;
    public ulong Attributes;
    public uint Links;
    public uint UserId;
    public uint GroupId;
    public ushort Mode;
    public ulong Inode;
    public ulong SizeBytes;
    public ulong Blocks;
    public ulong AttributesMask;
    public Time Access;
    public Time Birth;
    public Time StatusChange;
    public Time Change;
    public uint OwnDeviceMajor;
    public uint OwnDeviceMinor;
    public uint DeviceMajor;
    public uint DeviceMinor;

    [StructLayout(LayoutKind.Sequential, Size = 16)]
    internal struct Time
    {
        public long Seconds;
        public uint Nanoseconds;
    }
}
