using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Restore.Ends.Portable;

/// <summary>Attributes, which only Windows has.</summary>
[SupportedOSPlatform("windows")]
internal static class WindowsMetadata
{
    private const FileAttributes Settable =
        FileAttributes.ReadOnly
        | FileAttributes.Hidden
        | FileAttributes.System
        | FileAttributes.Archive
        | FileAttributes.NotContentIndexed
        | FileAttributes.Temporary
        | FileAttributes.Offline;

    /// <summary>
    /// Frees the room of zeros in a file that was sparse. An online-only file of a cloud's client
    /// only looks so.
    /// </summary>
    /// <param name="handle">The open file, writable; or null to use the path.</param>
    public static void MakeSparse(
        SafeFileHandle? handle,
        string fullPath,
        TargetKind kind,
        EntryMetadata metadata,
        ref UnappliedMetadata shortfalls
    )
    {
        if (
            kind == TargetKind.File
            && metadata.Attributes is { } attributes
            && attributes.HasFlag(FileAttributes.SparseFile)
            && !attributes.HasFlag(FileAttributes.ReparsePoint)
            && !new FileInfo(fullPath).Attributes.HasFlag(FileAttributes.SparseFile)
        )
        {
            PortableMetadata.Try(
                () =>
                    Windows.MakeSparse(
                        handle,
                        fullPath,
                        file => ZeroRanges.Of((offset, buffer) => file.ReadFully(offset, buffer))
                    ),
                "It takes more room than it did, because it is not sparse",
                ref shortfalls
            );
        }
    }

    /// <param name="handle">The open file, writable; or null to use the path.</param>
    public static void SetAttributes(
        SafeFileHandle? handle,
        string fullPath,
        TargetKind kind,
        EntryMetadata metadata,
        ref UnappliedMetadata shortfalls
    )
    {
        if (kind == TargetKind.Symlink || metadata.Attributes is not { } attributes)
        {
            return;
        }

        FileAttributes now = new FileInfo(fullPath).Attributes;
        if (attributes.HasFlag(FileAttributes.Compressed) && !now.HasFlag(FileAttributes.Compressed))
        {
            PortableMetadata.Try(
                () => Windows.Compress(handle, fullPath),
                "It is not compressed by the file system as it was",
                ref shortfalls
            );
        }

        if (attributes.HasFlag(FileAttributes.Encrypted) && !now.HasFlag(FileAttributes.Encrypted))
        {
            shortfalls.Add(
                "It was encrypted by Windows (EFS)",
                "the backup has its plain content, and so it is restored"
            );
        }

        PortableMetadata.Try(
            () => File.SetAttributes(fullPath, attributes & Settable),
            "The attributes could not be set",
            ref shortfalls
        );
    }
}
