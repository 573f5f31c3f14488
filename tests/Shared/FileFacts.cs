using System.Runtime.InteropServices;
using System.Text;

namespace Restore.Tests;

/// <summary>
/// What the system says about a file, folder or link, by calls of the tests' own, so that no
/// mistake of the code under test is repeated here. Modes, owners and attributes are those of
/// Linux.
/// </summary>
internal sealed unsafe partial record FileFacts(
    string Type,
    long SizeBytes,
    long ModifiedTicks,
    string Mode,
    (long User, long Group) Owner,
    long LinkCount,
    ulong Inode
)
{
    private const int CurrentFolder = -100;
    private const int NoFollow = 0x100;
    private const uint BasicStatus = 0x7FF;
    private const int LongestAttribute = 65536;

    /// <summary>Looks at a path without following a link at its end.</summary>
    public static FileFacts Of(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            FileSystemInfo info = Directory.Exists(path) ? new DirectoryInfo(path) : new FileInfo(path);
            long written = (info.LastWriteTimeUtc - DateTime.UnixEpoch).Ticks;
            return new FileFacts(
                info is FileInfo ? "file" : "directory",
                info is FileInfo file ? file.Length : 0,
                written,
                "",
                default,
                1,
                0
            );
        }

        StatusBuffer status;
        if (Statx(CurrentFolder, path, NoFollow, BasicStatus, &status) != 0)
        {
            throw new FileNotFoundException($"statx of {path} failed with error {Marshal.GetLastPInvokeError()}.");
        }

        string type = (status.Mode & 0xF000) switch
        {
            0x8000 => "file",
            0x4000 => "directory",
            0xA000 => "symlink",
            _ => "other",
        };
        string mode = Convert.ToString(status.Mode & 0xFFF, 8).PadLeft(4, '0');
        long ticks = (status.ModifiedSeconds * TimeSpan.TicksPerSecond) + (status.ModifiedNanoseconds / 100);
        return new FileFacts(
            type,
            (long)status.SizeBytes,
            ticks,
            mode,
            (status.User, status.Group),
            status.LinkCount,
            status.Inode
        );
    }

    /// <summary>
    /// The user.* attributes and access lists, "name=base64" in the order of the names.
    /// </summary>
    public static string ExtendedAttributes(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            return "";
        }

        byte[] buffer = new byte[LongestAttribute];
        nint length = ListAttributes(path, buffer, buffer.Length);
        string[] names =
            length <= 0
                ? []
                : Encoding.UTF8.GetString(buffer, 0, (int)length).Split('\0', StringSplitOptions.RemoveEmptyEntries);
        List<string> attributes = [];
        string[] kinds = ["user.", "system.posix_acl_"];
        foreach (
            string name in names
                .Where(name => kinds.Any(kind => name.StartsWith(kind, StringComparison.Ordinal)))
                .Order(StringComparer.Ordinal)
        )
        {
            nint size = GetAttribute(path, name, buffer, buffer.Length);
            Assert.True(size >= 0, $"The attribute {name} of {path} cannot be read.");
            attributes.Add($"{name}={Convert.ToBase64String(buffer, 0, (int)size)}");
        }

        return string.Join(' ', attributes);
    }

    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Statx(int folder, string path, int flags, uint mask, StatusBuffer* status);

    [LibraryImport("libc", EntryPoint = "llistxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint ListAttributes(string path, [Out] byte[] names, nint length);

    [LibraryImport("libc", EntryPoint = "lgetxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint GetAttribute(string path, string name, [Out] byte[] value, nint length);

    /// <summary>The parts of the kernel's struct statx that the tests read.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private struct StatusBuffer
    {
        [FieldOffset(16)]
        public uint LinkCount;

        [FieldOffset(20)]
        public uint User;

        [FieldOffset(24)]
        public uint Group;

        [FieldOffset(28)]
        public ushort Mode;

        [FieldOffset(32)]
        public ulong Inode;

        [FieldOffset(40)]
        public ulong SizeBytes;

        [FieldOffset(112)]
        public long ModifiedSeconds;

        [FieldOffset(120)]
        public uint ModifiedNanoseconds;
    }
}
