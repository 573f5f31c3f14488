using Microsoft.Win32.SafeHandles;
using Restore.Ends.Unix;

namespace Restore.Ends.Portable;

/// <summary>Looks at a path without following a link at its end.</summary>
internal static class PortableLook
{
    // Where the number of hard links is unknown, it counts as more than one: patching then makes a
    // copy.
    private const int UnknownLinkCount = int.MaxValue;

    // Where mounts have no numbers: what is at a mount point is known, and nothing behind it is
    // looked at.
    private const ulong SameMount = 1;
    private const ulong OtherMount = 2;

    public static TargetStatus At(string fullPath)
    {
        if (OperatingSystem.IsWindows() && Windows.TryLookAt(fullPath, out FoundFile found))
        {
            // Without a reparse point it is what its attributes say: one opening of it says all.
            return found.IsMissing
                ? default
                : new TargetStatus(
                    found.Attributes.HasFlag(FileAttributes.Directory) ? TargetKind.Folder : TargetKind.File,
                    found.Attributes.HasFlag(FileAttributes.Directory) ? 0 : found.SizeBytes,
                    found.ModifiedTicks,
                    found.Attributes.HasFlag(FileAttributes.Directory) ? 1 : found.LinkCount
                )
                {
                    Mount = SameMount,
                };
        }

        var info = new FileInfo(fullPath);
        FileAttributes attributes = info.Attributes;
        if (attributes == (FileAttributes)(-1))
        {
            return default;
        }

        TargetStatus status = OperatingSystem.IsWindows()
            ? LookOnWindows(info)
            : UnixCalls.Look(fullPath) ?? new TargetStatus(KindOf(info), 0, 0, UnknownLinkCount) { Mount = SameMount };
        return status with
        {
            SizeBytes = status.Kind == TargetKind.File ? info.Length : 0,
            ModifiedTicks = info.LastWriteTimeUtc.Ticks,
        };
    }

    /// <summary>
    /// The number of the mount that a root is on. A root is trusted, and may be a link.
    /// </summary>
    public static ulong MountOfRoot(string fullPath) =>
        OperatingSystem.IsWindows() ? SameMount : UnixCalls.Look(Path.Join(fullPath, "."))?.Mount ?? SameMount;

    private static TargetStatus LookOnWindows(FileInfo info)
    {
        TargetKind kind = KindOf(info);
        if (kind != TargetKind.File)
        {
            // A volume can be mounted at a folder, which is a reparse point then and no link.
            bool isMount = kind == TargetKind.Folder && info.Attributes.HasFlag(FileAttributes.ReparsePoint);
            return new TargetStatus(kind, 0, 0, 1) { Mount = isMount ? OtherMount : SameMount };
        }

        try
        {
            using SafeFileHandle handle = File.OpenHandle(
                info.FullName,
                FileMode.Open,
                FileAccess.Read,
                FileShare.ReadWrite | FileShare.Delete
            );
            return new TargetStatus(kind, 0, 0, Windows.LinkCount(handle) ?? UnknownLinkCount) { Mount = SameMount };
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return new TargetStatus(kind, 0, 0, UnknownLinkCount) { Mount = SameMount };
        }
    }

    /// <summary>
    /// Symbolic links and junctions are links. Other reparse points (cloud files, deduplicated
    /// files) are what they look like.
    /// </summary>
    private static TargetKind KindOf(FileInfo info) =>
        info.LinkTarget is not null ? TargetKind.Symlink
        : info.Attributes.HasFlag(FileAttributes.Directory) ? TargetKind.Folder
        : info.Attributes.HasFlag(FileAttributes.Device) ? TargetKind.Other
        : TargetKind.File;
}
