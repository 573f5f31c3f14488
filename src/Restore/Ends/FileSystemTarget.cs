using System.Runtime.InteropServices;
using Restore.Ends.Linux;
using Restore.Ends.Portable;

namespace Restore.Ends;

/// <summary>Opens a folder of the file system as a target, with the means of the platform.</summary>
internal static class FileSystemTarget
{
    /// <summary>
    /// Opens <paramref name="rootPath"/> (which may be reached through links: the user named it).
    /// A missing folder is created by the first write, so a dry run leaves nothing.
    /// </summary>
    /// <exception cref="RestoreException">The path is there but is no folder, or must not be looked into.</exception>
    public static IRestoreTarget Open(string rootPath)
    {
        // The numbers and flags of the Linux implementation are those of these two.
        bool isKnown = RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.Arm64;
        return OperatingSystem.IsLinux() && isKnown ? new LinuxTarget(rootPath) : new PortableTarget(rootPath);
    }
}
