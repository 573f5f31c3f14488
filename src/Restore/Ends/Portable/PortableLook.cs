using Microsoft.Win32.SafeHandles;
using Restore.Ends.Unix;

namespace Restore.Ends.Portable;

/// <summary>Looks at a path without following a link at its end.</summary>
internal static class PortableLook
{
    // Where the number of hard links is unknown, it counts as more than one: patching then makes a copy.
    private const int UnknownLinkCount = int.MaxValue;

    public static TargetStatus At(string fullPath)
    {
        var info = new FileInfo(fullPath);
        FileAttributes attributes = info.Attributes;
        if (attributes == (FileAttributes)(-1))
        {
            return default;
        }

        (TargetKind kind, int linkCount) = OperatingSystem.IsWindows() ? LookOnWindows(info) : UnixCalls.Look(fullPath) ?? (KindOf(info), UnknownLinkCount);
        return new TargetStatus(kind, kind == TargetKind.File ? info.Length : 0, info.LastWriteTimeUtc.Ticks, linkCount);
    }

    private static (TargetKind Kind, int LinkCount) LookOnWindows(FileInfo info)
    {
        TargetKind kind = KindOf(info);
        if (kind != TargetKind.File)
        {
            return (kind, 1);
        }

        try
        {
            using SafeFileHandle handle = File.OpenHandle(info.FullName, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            return (kind, Windows.LinkCount(handle) ?? UnknownLinkCount);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return (kind, UnknownLinkCount);
        }
    }

    /// <summary>Symbolic links and junctions are links. Other reparse points (cloud files, deduplicated files) are what they look like.</summary>
    private static TargetKind KindOf(FileInfo info) =>
        info.LinkTarget is not null ? TargetKind.Symlink
        : info.Attributes.HasFlag(FileAttributes.Directory) ? TargetKind.Folder
        : info.Attributes.HasFlag(FileAttributes.Device) ? TargetKind.Other
        : TargetKind.File;
}
