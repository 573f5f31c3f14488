using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Restore.Tests.Ends;

/// <summary>What the tests need of the system and .NET does not offer.</summary>
internal static unsafe partial class Native
{
    private const ulong BindFlag = 0x1000;

    public static void HardLink(string existing, string name) =>
        Assert.True(OperatingSystem.IsWindows() ? CreateHardLink(name, existing, 0) : Link(existing, name) == 0);

    public static void Fifo(string path) => Assert.Equal(0, MakeFifo(path, 0x1B6));

    public static int Mode(string path)
    {
        byte* status = stackalloc byte[256];
        Assert.Equal(0, Statx(-100, path, 0x100, 0x7FF, status));
        return *(ushort*)(status + 28) & 0xFFF;
    }

    public static void SetMode(string path, int mode) => Assert.Equal(0, ChangeMode(path, (uint)mode));

    /// <summary>Gives a file to another user; false without the right to do so.</summary>
    public static bool TryGive(string path, uint owner) => ChangeOwner(path, owner, owner) == 0;

    public static (uint User, uint Group) Owner(string path)
    {
        byte* status = stackalloc byte[256];
        Assert.Equal(0, Statx(-100, path, 0x100, 0x7FF, status));
        return (*(uint*)(status + 20), *(uint*)(status + 24));
    }

    /// <summary>The room that a file takes on its file system, in bytes.</summary>
    public static long Room(string path)
    {
        byte* status = stackalloc byte[256];
        Assert.Equal(0, Statx(-100, path, 0x100, 0x7FF, status));
        return *(long*)(status + 48) * 512;
    }

    /// <summary>
    /// Looked at with statx, so that it does not depend on what .NET makes of times.
    /// </summary>
    public static (long Seconds, uint Nanoseconds) Modified(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            long ticks = File.GetLastWriteTimeUtc(path).Ticks - DateTime.UnixEpoch.Ticks;
            long seconds = (long)Math.Floor((decimal)ticks / TimeSpan.TicksPerSecond);
            return (seconds, (uint)((ticks - (seconds * TimeSpan.TicksPerSecond)) * 100));
        }

        byte* status = stackalloc byte[256];
        Assert.Equal(0, Statx(-100, path, 0x100, 0x7FF, status));
        return (*(long*)(status + 112), *(uint*)(status + 120));
    }

    /// <summary>A second handle of a file that this process has open, with its lock.</summary>
    public static SafeFileHandle CopyOfHandle(string path)
    {
        string handle = Directory
            .EnumerateFileSystemEntries("/proc/self/fd")
            .First(entry => new FileInfo(entry).LinkTarget == path);
        return new SafeFileHandle(
            Duplicate(int.Parse(Path.GetFileName(handle), CultureInfo.InvariantCulture)),
            ownsHandle: true
        );
    }

    public static string? Attribute(string path, string name)
    {
        byte* value = stackalloc byte[1024];
        nint length = GetAttribute(path, name, value, 1024);
        return length < 0 ? null : Encoding.UTF8.GetString(value, (int)length);
    }

    /// <summary>An access list of Linux as an extended attribute has it.</summary>
    public static byte[] AccessList(params (ushort Tag, ushort Rights, uint Id)[] entries)
    {
        using MemoryStream list = new();
        using BinaryWriter writer = new(list);
        writer.Write(2);
        foreach ((ushort tag, ushort rights, uint id) in entries)
        {
            writer.Write(tag);
            writer.Write(rights);
            writer.Write(id);
        }

        return list.ToArray();
    }

    public static bool Mount(string folder, string options) => MountCall("tmpfs", folder, "tmpfs", 0, options) == 0;

    /// <summary>
    /// Changes the size of a file system in memory, or whether it can be written.
    /// </summary>
    public static void Remount(string folder, string options, bool isReadOnly = false) =>
        Assert.Equal(0, MountCall("tmpfs", folder, "tmpfs", isReadOnly ? 33u : 32u, options));

    /// <summary>
    /// Binds a folder or file to a second place; false if this user may not do that.
    /// </summary>
    public static bool Bind(string source, string place) => MountCall(source, place, "none", BindFlag, "") == 0;

    /// <summary>Whether the file system of a folder has files without a name (O_TMPFILE).</summary>
    public static bool HasUnnamedFiles(string folder)
    {
        const int ReadWrite = 0x2,
            Unnamed = 0x400000;
        int onlyFolder =
            RuntimeInformation.ProcessArchitecture == System.Runtime.InteropServices.Architecture.Arm64
                ? 0x4000
                : 0x10000;
        int handle = Open(folder, ReadWrite | Unnamed | onlyFolder, 0x180);
        new SafeFileHandle(handle, ownsHandle: true).Dispose();
        return handle >= 0;
    }

    public static void Unmount(string folder) => Assert.True(TryUnmount(folder));

    public static bool TryUnmount(string folder) => UnmountCall(folder, 2) == 0;

    [LibraryImport("libc", EntryPoint = "chown", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int ChangeOwner(string path, uint user, uint group);

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags, uint mode);

    [LibraryImport("libc", EntryPoint = "chmod", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int ChangeMode(string path, uint mode);

    [LibraryImport("libc", EntryPoint = "link", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Link(string existing, string name);

    [LibraryImport("kernel32", EntryPoint = "CreateHardLinkW", StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool CreateHardLink(string name, string existing, nint security);

    [LibraryImport("libc", EntryPoint = "dup")]
    private static partial int Duplicate(int handle);

    [LibraryImport("libc", EntryPoint = "mkfifo", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakeFifo(string path, uint mode);

    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Statx(int folder, string path, int flags, uint mask, byte* status);

    [LibraryImport("libc", EntryPoint = "lgetxattr", StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint GetAttribute(string path, string name, byte* value, nint length);

    [LibraryImport("libc", EntryPoint = "mount", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MountCall(string source, string folder, string type, ulong flags, string options);

    [LibraryImport("libc", EntryPoint = "umount2", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int UnmountCall(string folder, int flags);
}
