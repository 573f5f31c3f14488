using System.Text.Unicode;
using Microsoft.Win32.SafeHandles;

namespace Restore.Writing.Source;

/// <summary>
/// Entries as Linux has them: owner, attributes and times that .NET lacks. A path is looked for by
/// its name in the folder of the handle; with <see cref="Kernel.CurrentFolder"/> the whole path is
/// followed, except a link at its end.
/// </summary>
internal static class LinuxSource
{
    /// <summary>
    /// The extended attribute by which Duplicati leaves an entry out, whatever its value is.
    /// </summary>
    public const string Mark = "user.duplicati.exclude";

    // 0777: the kind of the entry and the set-ID and sticky bits are not part of the mode here.
    private const int PermissionBits = 0x1FF;

    private static readonly bool HasProc = Directory.Exists("/proc/self/fd");

    /// <param name="follows">Whether a link at the end of the path is followed.</param>
    /// <exception cref="IOException">The entry cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to it is denied.</exception>
    public static SourceStatus Look(int folder, string path, bool follows = false)
    {
        ReadOnlySpan<byte> name = Name(folder, path, stackalloc byte[Room(folder)]);
        int result = follows
            ? Kernel.StatusFollowing(folder, name, out FileStatus status)
            : Kernel.Status(folder, name, out status);
        return result < 0 ? throw Failure(path, -result) : StatusOf(path, InFolder(folder, path), status);
    }

    /// <summary>
    /// The status of what a link leads to; null if it leads to nothing, or to itself.
    /// </summary>
    /// <exception cref="IOException">What it leads to cannot be looked at, so nothing says that it
    /// is not there.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to it is denied.</exception>
    public static SourceStatus? LookBehind(string path)
    {
        int result = Kernel.StatusFollowing(
            Kernel.CurrentFolder,
            NativeText.Encode(path, stackalloc byte[NativeText.PathBytes]),
            out FileStatus status
        );
        return result switch
        {
            >= 0 => StatusOf(path, path, status),
            -Errno.NoEntry or -Errno.NotFolder or -Errno.Loop => null,
            -Errno.AccessDenied => throw new UnauthorizedAccessException($"what {path} leads to may not be looked at"),
            _ => throw new IOException(
                $"what {path} leads to cannot be looked at: {Marshal.GetPInvokeErrorMessage(-result)}"
            ),
        };
    }

    /// <summary>The status of an open file.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static SourceStatus LookAt(SafeFileHandle file, string path)
    {
        int handle = (int)file.DangerousGetHandle();
        int result = Kernel.StatusOfHandle(handle, out FileStatus status);
        return result < 0 ? throw Failure(path, -result) : StatusOf(path, OfHandle(handle, path), status);
    }

    /// <summary>The path of an entry for calls that take no handle of a folder.</summary>
    public static string InFolder(int folder, string path) =>
        folder == Kernel.CurrentFolder || !HasProc ? path : $"/proc/self/fd/{folder}/{Path.GetFileName(path.AsSpan())}";

    /// <summary>
    /// A path by which a folder is listed. A system without /proc lists it by its own path; what is
    /// in it is still looked at by the handle.
    /// </summary>
    public static string OfHandle(int handle, string folder) =>
        handle == Kernel.CurrentFolder || !HasProc ? folder : $"/proc/self/fd/{handle}";

    /// <summary>
    /// Opens a file to read it. What has taken its place since is refused: a link, and a pipe,
    /// which would wait for its writer.
    /// </summary>
    /// <exception cref="IOException">It cannot be opened, or is no file any more.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to it is denied.</exception>
    public static SafeFileHandle OpenFile(int folder, string path, bool followsLinks)
    {
        ReadOnlySpan<byte> name = Name(folder, path, stackalloc byte[Room(folder)]);
        int handle = followsLinks
            ? Kernel.OpenFollowing(folder, name)
            : Kernel.OpenFile(folder, name, forWriting: false);
        if (handle == -Errno.TryAgain)
        {
            // Another program has a lease on the file (such as Samba for its clients), and returns
            // it to a program that waits. A path-only handle shows first what the path names.
            using SafeFileHandle there = OnlyFile(path, Kernel.OpenPath(folder, name, followsLinks));
            handle = Kernel.OpenToRead((int)there.DangerousGetHandle());
        }

        SafeFileHandle file = OnlyFile(path, handle);
        Kernel.ReadAhead(handle);
        return file;
    }

    /// <summary>What a link leads to.</summary>
    /// <exception cref="IOException">It cannot be read, is not text, or is no link any
    /// more.</exception>
    public static string LinkTarget(int folder, string path)
    {
        Span<byte> target = stackalloc byte[NativeText.PathBytes];
        int length = Kernel.ReadLink(folder, Name(folder, path, stackalloc byte[Room(folder)]), target);
        return length == -Errno.Invalid ? throw new IOException($"{path} is no link any more")
            : length < 0 ? throw Failure(path, -length)
            : !Utf8.IsValid(target[..length])
                ? throw new IOException($"{path} leads to a name that is not UTF-8 text, which a backup cannot hold")
            : Encoding.UTF8.GetString(target[..length]);
    }

    /// <summary>
    /// Whether an entry has the attribute that leaves it out. An entry with unreadable attributes
    /// does not.
    /// </summary>
    public static unsafe bool IsMarked(int folder, string path) =>
        Libc.LGetXattr(InFolder(folder, path), Mark, null, 0) >= 0;

    /// <summary>Why a path cannot be reached.</summary>
    public static Exception Failure(string path, int error) =>
        error switch
        {
            Errno.NoEntry => new FileNotFoundException($"{path} is not there", path),
            Errno.NotFolder => new DirectoryNotFoundException(
                $"{path} is not there: a file is where a folder should be"
            ),
            Errno.AccessDenied => new UnauthorizedAccessException($"{path} may not be looked at"),
            Errno.Loop => new IOException($"{path} is a link now"),
            _ => new IOException($"{path} cannot be looked at: {Marshal.GetPInvokeErrorMessage(error)}"),
        };

    /// <param name="place">The path by which .NET finds its attributes.</param>
    private static SourceStatus StatusOf(string path, string place, in FileStatus status)
    {
        EntryKind? kind =
            status.IsFile ? EntryKind.File
            : status.IsFolder ? EntryKind.Folder
            : status.IsSymlink ? EntryKind.Symlink
            : null;
        int mode = status.Mode & PermissionBits;
        return new SourceStatus
        {
            Kind = kind,
            SizeBytes = status.IsFile ? status.SizeBytes : 0,
            LastWriteTicks = status.ModifiedTicks,
            ChangedTicks = status.ChangedTicks,
            CreationTicks = Math.Min(status.ChangedTicks, status.ModifiedTicks),
            UserId = status.User,
            GroupId = status.Group,
            Mode = mode,
            HasSpecialBits = kind is EntryKind.File or EntryKind.Folder && mode != status.Mode,
            Attributes =
                (kind is EntryKind.File or EntryKind.Folder ? Attributes(path, kind.Value, mode, status.User) : null)
                ?? AttributesAt(place, kind),
            Names = status.LinkCount,
            Identity = (((ulong)status.DeviceMajor << 32) | status.DeviceMinor, status.Number),
        };
    }

    private static FileAttributes AttributesAt(string place, EntryKind? kind)
    {
        FileAttributes attributes = File.GetAttributes(place);
        return kind == EntryKind.Symlink ? attributes : attributes & ~FileAttributes.ReparsePoint;
    }

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

    /// <summary>
    /// The attributes that .NET, and so Duplicati, gives a file or folder; null if they depend on
    /// the groups of the process.
    /// </summary>
    private static FileAttributes? Attributes(string path, EntryKind kind, int mode, uint owner)
    {
        bool forOwner = IsReadOnly(mode >> 6);
        bool forGroup = IsReadOnly(mode >> 3);
        bool forOthers = IsReadOnly(mode);

        // .NET calls a file read-only if the process may read and not write it, by the first of
        // owner, group and others that applies. The groups of the process are looked up only if
        // they would make a difference.
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
