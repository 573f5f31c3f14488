using Microsoft.Win32.SafeHandles;

namespace Restore.Ends.Unix;

/// <summary>
/// Functions of Unix systems that .NET lacks: owners, extended attributes, and the number of hard
/// links. Links are not followed. A returned reason is null on success.
/// </summary>
internal static unsafe class UnixCalls
{
    private const int NotPermitted = 1;
    private const int AccessDenied = 13;
    private const int KindBits = 0xF000;
    private const int MacNoFollow = 1;

    private static readonly Lock MaskGate = new();
    private static readonly uint OwnUser = OperatingSystem.IsWindows() ? 0 : Libc.GetEUid();

    /// <summary>Whether a user is root or the user of this process.</summary>
    public static bool IsTrusted(uint user) => user == 0 || user == OwnUser;

    /// <summary>Sets the owner of an open file or, without one, of the entry at the path.</summary>
    public static string? ChangeOwner(SafeFileHandle? handle, string path, uint user, uint group) =>
        Reason(handle is null ? Libc.LChown(path, user, group) : Libc.FChown(handle, user, group));

    /// <summary>
    /// Sets an extended attribute of an open file or, without one, of the entry at the path.
    /// </summary>
    public static string? SetAttribute(SafeFileHandle? handle, string path, string name, byte[] value)
    {
        if (name.Contains('\0'))
        {
            return "its name has a NUL in it";
        }

        fixed (byte* first = value)
        {
            if (OperatingSystem.IsMacOS())
            {
                // It would be an attribute like any other, and grant no right.
                return AttributeNames.IsAccessList(name)
                    ? "macOS has no access lists of this kind"
                    : Reason(
                        handle is null
                            ? MacLibc.SetXattr(path, name, first, value.Length, 0, MacNoFollow)
                            : MacLibc.FSetXattr(handle, name, first, value.Length, 0, 0)
                    );
            }

            return Reason(
                handle is null
                    ? Libc.LSetXattr(path, name, first, value.Length, 0)
                    : Libc.FSetXattr(handle, name, first, value.Length, 0)
            );
        }
    }

    /// <summary>
    /// What is at a path, without size and time; null if this system's structures are not known.
    /// </summary>
    public static TargetStatus? Look(string path)
    {
        // More than any struct stat or statx needs.
        byte* status = stackalloc byte[512];
        if (OperatingSystem.IsMacOS())
        {
            // macOS mounts no folder at a second place: each mount has a device number of its own.
            return MacLibc.LStat(path, status) < 0
                ? null
                : new TargetStatus(KindOf(*(ushort*)(status + 4)), 0, 0, *(ushort*)(status + 6))
                {
                    Mount = 1 + (ulong)*(uint*)status,
                    Owner = *(uint*)(status + 16),
                    IsTrusted = IsTrusted(*(uint*)(status + 16)),
                    FileSystem = *(uint*)status,
                    Number = *(ulong*)(status + 8),
                };
        }

        const int CurrentFolder = -100;
        const int NoFollow = 0x100;
        const uint BasicStatsAndMount = 0x17FF;
        if (!OperatingSystem.IsLinux() || Libc.Statx(CurrentFolder, path, NoFollow, BasicStatsAndMount, status) != 0)
        {
            return null;
        }

        ref FileStatus found = ref *(FileStatus*)status;
        ulong device = ((ulong)found.DeviceMajor << 32) | found.DeviceMinor;
        return new TargetStatus(KindOf(found.RawMode), 0, 0, (int)Math.Min(found.LinkCount, int.MaxValue))
        {
            Mount = found.MountId ?? 1 + device,
            FileSystem = device,
            Number = found.Number,
            Owner = found.User,
            IsTrusted = IsTrusted(found.User),
        };
    }

    /// <summary>
    /// The mask of the process for the modes of new files. Only Linux has a way to read it without
    /// changing it for an instant.
    /// </summary>
    public static int FileMask()
    {
        const string Field = "Umask:";
        const string Status = "/proc/self/status";
        if (
            File.Exists(Status)
            && File.ReadLines(Status).FirstOrDefault(line => line.StartsWith(Field, StringComparison.Ordinal))
                is string line
        )
        {
            return Convert.ToInt32(line[Field.Length..].Trim(), 8);
        }

        const int OthersNothing = 0x3F;
        lock (MaskGate)
        {
            int mask = Libc.Umask(OthersNothing);
            _ = Libc.Umask(mask);
            return mask & 0x1FF;
        }
    }

    /// <summary>Locks a file against other processes.</summary>
    /// <returns>False if another process has it locked; a file system without locks locks
    /// nothing.</returns>
    public static bool TryLock(SafeFileHandle handle)
    {
        const int ExclusiveAtOnce = 6;
        int wouldBlock = OperatingSystem.IsLinux() ? 11 : 35;
        return Libc.Flock(handle, ExclusiveAtOnce) >= 0 || Marshal.GetLastPInvokeError() != wouldBlock;
    }

    public static void Unlock(SafeFileHandle handle)
    {
        const int Free = 8;
        _ = Libc.Flock(handle, Free);
    }

    public static string? Rename(string from, string to) => Reason(Libc.Rename(from, to));

    /// <summary>Gives a file another name if nothing has it.</summary>
    /// <returns>Whether it has the name; null if the file system has no second names.</returns>
    public static bool? TryLink(string from, string to)
    {
        const int Exists = 17;
        int error = Libc.Link(from, to) < 0 ? Marshal.GetLastPInvokeError() : 0;
        return error is 0 or Exists ? error == 0 : null;
    }

    public static string? Reason(int result) =>
        (result < 0 ? Marshal.GetLastPInvokeError() : 0) switch
        {
            0 => null,
            NotPermitted => "the user or the file system may not do that",
            AccessDenied => "permission denied",
            int error => $"{Marshal.GetPInvokeErrorMessage(error)} (error {error})",
        };

    private static TargetKind KindOf(int mode) =>
        (mode & KindBits) switch
        {
            0x8000 => TargetKind.File,
            0x4000 => TargetKind.Folder,
            0xA000 => TargetKind.Symlink,
            _ => TargetKind.Other,
        };
}
