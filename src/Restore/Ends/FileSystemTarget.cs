using Restore.Ends.Linux;
using Restore.Ends.Portable;

namespace Restore.Ends;

/// <summary>
/// Opens a folder of the file system as a target, with the implementation for the platform.
/// </summary>
internal static class FileSystemTarget
{
    /// <summary>
    /// Opens <paramref name="rootPath"/>, which may contain links, because the user named it. The
    /// first write creates a missing folder, so a dry run leaves nothing.
    /// </summary>
    /// <exception cref="RestoreException">The path is not a folder, or access to it is
    /// denied.</exception>
    /// <param name="flushesFiles">Whether files are flushed when they are closed, on systems where
    /// a target cannot be flushed as a whole.</param>
    /// <param name="opensFolders">Whether folders that are closed to their owner are opened until
    /// the target is disposed of.</param>
    public static IRestoreTarget Open(string rootPath, bool flushesFiles = false, bool opensFolders = true)
    {
        // The Linux implementation has the error numbers and flags of these two architectures.
        bool isKnown = RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.Arm64;
        return OperatingSystem.IsLinux() && isKnown
            ? new LinuxTarget(rootPath, folderHandles: LinuxTarget.AffordableFolders(), opensFolders: opensFolders)
            : new PortableTarget(rootPath, flushesFiles);
    }
}
