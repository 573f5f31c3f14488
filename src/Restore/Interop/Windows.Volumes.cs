using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

/// <summary>Volumes as a whole.</summary>
internal static unsafe partial class Windows
{
    /// <summary>Why nothing can be made at a path, for the end of a sentence.</summary>
    public const string NoRoot = "there is no such drive or share";

    private const int LongestPath = 32_768;
    private const int LongestVolumeName = 64;
    private const uint ShareReadAndWrite = 3;

    /// <summary>Whether a path names a drive or share that is not there.</summary>
    public static bool IsRootMissing(string path) =>
        OperatingSystem.IsWindows()
        && Path.GetPathRoot(Path.GetFullPath(path)) is { Length: > 0 } root
        && !Directory.Exists(root);

    /// <summary>
    /// The folder at which the volume of a path begins: a drive, or a folder at which a volume is
    /// mounted. Null if the system does not say.
    /// </summary>
    public static string? VolumeOf(string path)
    {
        char[] buffer = new char[LongestPath];
        fixed (char* first = buffer)
        {
            return GetVolumePathName(path, first, LongestPath) ? new string(first) : null;
        }
    }

    /// <summary>
    /// Opens a volume to flush it, which only administrators may; null for others, and for a share.
    /// </summary>
    /// <param name="folder">The folder at which it begins, as <see cref="VolumeOf"/> says.</param>
    public static SafeFileHandle? TryOpenVolume(string folder)
    {
        char* name = stackalloc char[LongestVolumeName];
        if (!GetVolumeName(folder, name, LongestVolumeName))
        {
            return null;
        }

        // With the separator at its end it would be the root folder of the volume.
        SafeFileHandle handle = CreateFile(
            new string(name).TrimEnd('\\'),
            ReadAccess | WriteAccess,
            ShareReadAndWrite,
            0,
            OpenExisting,
            0,
            0
        );
        if (!handle.IsInvalid)
        {
            return handle;
        }

        handle.Dispose();
        return null;
    }

    /// <summary>Waits until the device has all files of a volume.</summary>
    /// <exception cref="IOException">It does not take them.</exception>
    public static void FlushVolume(SafeFileHandle volume)
    {
        if (!FlushFileBuffers(volume))
        {
            throw Failure(Marshal.GetLastPInvokeError());
        }
    }

    [LibraryImport(
        "kernel32",
        EntryPoint = "GetVolumePathNameW",
        SetLastError = true,
        StringMarshalling = StringMarshalling.Utf16
    )]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool GetVolumePathName(string path, char* folder, uint length);

    [LibraryImport(
        "kernel32",
        EntryPoint = "GetVolumeNameForVolumeMountPointW",
        SetLastError = true,
        StringMarshalling = StringMarshalling.Utf16
    )]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool GetVolumeName(string folder, char* name, uint length);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool FlushFileBuffers(SafeFileHandle handle);
}
