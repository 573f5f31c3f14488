using System.Text.Unicode;
using Microsoft.Win32.SafeHandles;

namespace Restore.Writing.Source;

/// <summary>
/// Entries as Linux has them: owner, attributes and times that .NET lacks. A path is looked for by its name in the folder of the handle; with
/// <see cref="Kernel.CurrentFolder"/> the whole path is followed, but for a link at its end.
/// </summary>
internal static class LinuxSource
{
    private const int PermissionBits = 0x1FF;
    private const int MaxAttributeBytes = 64 << 10;

    private static ReadOnlySpan<byte> AccessLists => "system.posix_acl_"u8;

    private static readonly bool HasProc = Directory.Exists("/proc/self/fd");

    /// <exception cref="IOException">The entry cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to it is denied.</exception>
    public static SourceStatus Look(int folder, string path)
    {
        int result = Kernel.Status(folder, Name(folder, path, stackalloc byte[Room(folder)]), out FileStatus status);
        if (result < 0)
        {
            throw Failure(path, -result);
        }

        EntryKind? kind = status.IsFile ? EntryKind.File : status.IsFolder ? EntryKind.Folder : status.IsSymlink ? EntryKind.Symlink : null;
        int mode = status.Mode & PermissionBits;
        return new SourceStatus
        {
            Kind = kind,
            SizeBytes = status.IsFile ? status.SizeBytes : 0,
            LastWriteTicks = status.ModifiedTicks,
            CreationTicks = Math.Min(status.ChangedTicks, status.ModifiedTicks),
            UserId = status.User,
            GroupId = status.Group,
            Mode = mode,
            Attributes = (kind is EntryKind.File or EntryKind.Folder ? Attributes(path, kind.Value, mode, status.User) : null)
                ?? File.GetAttributes(InFolder(folder, path)),
            Names = status.LinkCount,
            Identity = (((ulong)status.DeviceMajor << 32) | status.DeviceMinor, status.Number),
        };
    }

    /// <summary>The path of an entry for calls that take no handle of a folder.</summary>
    public static string InFolder(int folder, string path) =>
        folder == Kernel.CurrentFolder || !HasProc ? path : $"/proc/self/fd/{folder}/{Path.GetFileName(path.AsSpan())}";

    /// <summary>A path by which a folder is listed. A system without /proc lists it by its own path; what is in it is still looked at by the handle.</summary>
    public static string OfHandle(int handle, string folder) => handle == Kernel.CurrentFolder || !HasProc ? folder : $"/proc/self/fd/{handle}";

    /// <summary>Opens a file to read it. What has taken its place since is refused: a link, and a pipe, which would wait for its writer.</summary>
    /// <exception cref="IOException">It cannot be opened, or is no file any more.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to it is denied.</exception>
    public static SafeFileHandle OpenFile(int folder, string path, bool followsLinks)
    {
        ReadOnlySpan<byte> name = Name(folder, path, stackalloc byte[Room(folder)]);
        int handle = followsLinks ? Kernel.OpenFollowing(folder, name) : Kernel.OpenFile(folder, name, forWriting: false);
        if (handle == -Errno.TryAgain)
        {
            // Another program has a lease on the file (Samba for its clients), and gives it back to who waits. A handle for paths says what is there.
            using SafeFileHandle there = OnlyFile(path, Kernel.OpenPath(folder, name, followsLinks));
            handle = Kernel.OpenToRead((int)there.DangerousGetHandle());
        }

        SafeFileHandle file = OnlyFile(path, handle);
        Kernel.ReadAhead(handle);
        return file;
    }

    /// <summary>What a link leads to.</summary>
    /// <exception cref="IOException">It cannot be read, is not text, or is no link any more.</exception>
    public static string LinkTarget(int folder, string path)
    {
        Span<byte> target = stackalloc byte[NativeText.PathBytes];
        int length = Kernel.ReadLink(folder, Name(folder, path, stackalloc byte[Room(folder)]), target);
        return length == -Errno.Invalid ? throw new IOException($"{path} is no link any more")
            : length < 0 ? throw Failure(path, -length)
            : !Utf8.IsValid(target[..length]) ? throw new IOException($"{path} leads to a name that is not UTF-8 text, which a backup cannot hold")
            : Encoding.UTF8.GetString(target[..length]);
    }

    /// <summary>The extended attributes of users (<c>user.*</c>) and the access lists; none if the file system does not support them.</summary>
    /// <param name="areAll">False if one is left out, whose name is not text.</param>
    public static unsafe IReadOnlyList<KeyValuePair<string, byte[]>> ExtendedAttributes(int folder, string path, out bool areAll)
    {
        areAll = true;

        // Nearly no entry has any, which a call by the path says sooner.
        Span<byte> names = stackalloc byte[4096];
        fixed (byte* first = names)
        {
            nint length = Libc.LListXattr(path, first, names.Length);
            if (length <= 0 || !HasWanted(names[..(int)length]))
            {
                return [];
            }

            string place = InFolder(folder, path);
            length = Libc.LListXattr(place, first, names.Length);
            return length <= 0 ? [] : ExtendedAttributes(place, names[..(int)length], out areAll);
        }
    }

    /// <summary>Why a path cannot be reached.</summary>
    public static Exception Failure(string path, int error) => error switch
    {
        Errno.NoEntry => new FileNotFoundException($"{path} is not there", path),
        Errno.AccessDenied => new UnauthorizedAccessException($"{path} may not be looked at"),
        Errno.Loop => new IOException($"{path} is a link now"),
        _ => new IOException($"{path} cannot be looked at: {Marshal.GetPInvokeErrorMessage(error)}"),
    };

    private static int Room(int folder) => folder == Kernel.CurrentFolder ? NativeText.PathBytes : NativeText.NameBytes;

    private static ReadOnlySpan<byte> Name(int folder, string path, Span<byte> buffer) =>
        NativeText.Encode(folder == Kernel.CurrentFolder ? path : Path.GetFileName(path.AsSpan()), buffer);

    private static SafeFileHandle OnlyFile(string path, int handle)
    {
        if (handle < 0)
        {
            throw Failure(path, -handle);
        }

        SafeFileHandle file = new(handle, ownsHandle: true);
        if (Kernel.StatusOfHandle(handle, out FileStatus status) >= 0 && status.IsFile)
        {
            return file;
        }

        file.Dispose();
        throw new IOException($"{path} is no file any more");
    }

    private static bool HasWanted(ReadOnlySpan<byte> names) => names.IndexOf("user."u8) >= 0 || names.IndexOf(AccessLists) >= 0;

    private static unsafe List<KeyValuePair<string, byte[]>> ExtendedAttributes(string place, ReadOnlySpan<byte> names, out bool areAll)
    {
        areAll = true;
        List<KeyValuePair<string, byte[]>> found = [];
        byte[] value = new byte[MaxAttributeBytes];
        while (names.IndexOf((byte)0) is var end and >= 0)
        {
            ReadOnlySpan<byte> name = names[..end];
            names = names[(end + 1)..];
            if (!name.StartsWith("user."u8) && !name.StartsWith(AccessLists))
            {
                continue;
            }

            if (!Utf8.IsValid(name))
            {
                areAll = false;
                continue;
            }

            string text = Encoding.UTF8.GetString(name);
            fixed (byte* first = value)
            {
                nint length = Libc.LGetXattr(place, text, first, value.Length);
                if (length >= 0)
                {
                    found.Add(new KeyValuePair<string, byte[]>(text, value[..(int)length]));
                }
            }
        }

        return found;
    }

    /// <summary>The attributes that .NET, and so Duplicati, gives a file or folder; null if they depend on the groups of the process.</summary>
    private static FileAttributes? Attributes(string path, EntryKind kind, int mode, uint owner)
    {
        bool forOwner = IsReadOnly(mode >> 6);
        bool forGroup = IsReadOnly(mode >> 3);
        bool forOthers = IsReadOnly(mode);
        bool isSettled = forGroup == forOthers;
        bool isOwner = !(isSettled && forOwner == forGroup) && owner == Libc.GetEUid();
        if (!isSettled && !isOwner)
        {
            return null;
        }

        FileAttributes attributes = (isOwner ? forOwner : forGroup) ? FileAttributes.ReadOnly : 0;
        attributes |= kind == EntryKind.Folder ? FileAttributes.Directory : 0;
        attributes |= Path.GetFileName(path.AsSpan()).StartsWith('.') ? FileAttributes.Hidden : 0;
        return attributes == 0 ? FileAttributes.Normal : attributes;
    }

    private static bool IsReadOnly(int bits) => (bits & 0b110) == 0b100;
}
