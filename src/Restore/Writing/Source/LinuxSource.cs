using Microsoft.Win32.SafeHandles;

namespace Restore.Writing.Source;

/// <summary>Properties of an entry that Linux has and .NET lacks: owner, attributes, times to the nanosecond. Links are not followed.</summary>
internal static unsafe class LinuxSource
{
    private const int CurrentFolder = -100;
    private const int NoFollow = 0x100;
    private const int CloseOnExec = 0x8_0000;
    private const uint BasicStats = 0x7FF;
    private const int KindBits = 0xF000;
    private const int PermissionBits = 0x1FF;
    private const int FileKind = 0x8000;
    private const long NanosecondsPerTick = 100;
    private const int MaxAttributeBytes = 64 << 10;

    /// <exception cref="IOException">The entry cannot be read.</exception>
    public static SourceStatus Look(string path)
    {
        byte* status = stackalloc byte[256];
        if (Libc.Statx(CurrentFolder, path, NoFollow, BasicStats, status) < 0)
        {
            throw Failure(path);
        }

        int mode = *(ushort*)(status + 28);
        EntryKind? kind = (mode & KindBits) switch
        {
            FileKind => EntryKind.File,
            0x4000 => EntryKind.Folder,
            0xA000 => EntryKind.Symlink,
            _ => null,
        };
        long changed = Ticks(status + 96);
        long written = Ticks(status + 112);
        uint owner = *(uint*)(status + 20);
        return new SourceStatus
        {
            Kind = kind,
            SizeBytes = kind == EntryKind.File ? *(long*)(status + 40) : 0,
            LastWriteTicks = written,
            CreationTicks = Math.Min(changed, written),
            UserId = owner,
            GroupId = *(uint*)(status + 24),
            Mode = mode & PermissionBits,
            Attributes = (kind is EntryKind.File or EntryKind.Folder ? Attributes(path, kind.Value, mode, owner) : null) ?? File.GetAttributes(path),
            Names = *(uint*)(status + 16),
            Identity = (((ulong)*(uint*)(status + 136) << 32) | *(uint*)(status + 140), *(ulong*)(status + 32)),
        };
    }

    /// <summary>Opens a file to read it. What has taken its place since is refused: a link, and a pipe, which would wait for its writer.</summary>
    /// <exception cref="IOException">It cannot be opened, or is no file any more.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to it is denied.</exception>
    public static SafeFileHandle OpenFile(string path, bool followsLinks)
    {
        const int NonBlocking = 0x800;
        const int PathOnly = 0x20_0000;
        const int Sequential = 2;
        int noLink = followsLinks ? 0 : RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? 0x8000 : 0x2_0000;
        int handle = Libc.Open(path, NonBlocking | noLink | CloseOnExec, 0);
        if (handle < 0 && Marshal.GetLastPInvokeError() == Errno.TryAgain)
        {
            // Another program has a lease on the file (Samba for its clients), and gives it back to who waits. A handle for paths says what is there.
            using SafeFileHandle there = OnlyFile(path, Libc.Open(path, PathOnly | noLink | CloseOnExec, 0));
            handle = Libc.Open($"/proc/self/fd/{there.DangerousGetHandle()}", CloseOnExec, 0);
        }

        SafeFileHandle file = OnlyFile(path, handle);
        _ = Libc.FAdvise(handle, 0, 0, Sequential);
        return file;
    }

    private static SafeFileHandle OnlyFile(string path, int handle)
    {
        const int EmptyPath = 0x1000;
        if (handle < 0)
        {
            throw Failure(path);
        }

        byte* status = stackalloc byte[256];
        SafeFileHandle file = new(handle, ownsHandle: true);
        if (Libc.Statx(handle, "", EmptyPath, BasicStats, status) >= 0 && (*(ushort*)(status + 28) & KindBits) == FileKind)
        {
            return file;
        }

        file.Dispose();
        throw new IOException($"{path} is no file any more");
    }

    /// <summary>The extended attributes of users (<c>user.*</c>) that have a value; none if the file system does not support them.</summary>
    public static IReadOnlyList<KeyValuePair<string, byte[]>> UserAttributes(string path)
    {
        Span<byte> names = stackalloc byte[4096];
        fixed (byte* first = names)
        {
            nint length = Libc.LListXattr(path, first, names.Length);
            return length <= 0 ? [] : UserAttributes(path, names[..(int)length]);
        }
    }

    private static List<KeyValuePair<string, byte[]>> UserAttributes(string path, ReadOnlySpan<byte> names)
    {
        List<KeyValuePair<string, byte[]>> found = [];
        byte[] value = new byte[MaxAttributeBytes];
        while (names.IndexOf((byte)0) is var end and >= 0)
        {
            ReadOnlySpan<byte> name = names[..end];
            names = names[(end + 1)..];
            if (!name.StartsWith("user."u8))
            {
                continue;
            }

            string text = Encoding.UTF8.GetString(name);
            fixed (byte* first = value)
            {
                nint length = Libc.LGetXattr(path, text, first, value.Length);
                if (length > 0)
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

    private static long Ticks(byte* time)
    {
        long seconds = *(long*)time;
        long ticks = *(uint*)(time + 8) / NanosecondsPerTick;
        long unix = Math.Clamp(seconds, DateTimeOffset.MinValue.ToUnixTimeSeconds(), DateTimeOffset.MaxValue.ToUnixTimeSeconds());
        return DateTime.UnixEpoch.Ticks + (unix * TimeSpan.TicksPerSecond) + ticks;
    }

    private static Exception Failure(string path) => Marshal.GetLastPInvokeError() switch
    {
        Errno.NoEntry => new FileNotFoundException($"{path} is not there", path),
        Errno.AccessDenied => new UnauthorizedAccessException($"{path} may not be looked at"),
        Errno.Loop => new IOException($"{path} is a link now"),
        int error => new IOException($"{path} cannot be looked at: {Marshal.GetPInvokeErrorMessage(error)}"),
    };
}
