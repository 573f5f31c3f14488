namespace Restore.Ends.Linux;

internal sealed partial class LinuxTarget
{
    public string FileSystemOf(string folder) => NearestFolder(folder).FileSystem;

    public TargetRoom RoomAt(string folder) => RootFolder.RoomAt(Display(NearestFolder(folder).Path));

    /// <summary>The folder or, while it is missing, the nearest one above it that exists; the root if even that is missing.</summary>
    private (string Path, string FileSystem) NearestFolder(string folder)
    {
        TargetPath.Check(folder, orRoot: true);
        for (string existing = folder; ; existing = existing[..Math.Max(existing.LastIndexOf('/'), 0)])
        {
            using Folder? found = Find(existing, out _);
            if (found is not null && Kernel.StatusOfHandle(found.Handle, out FileStatus status) >= 0)
            {
                return (existing, $"{status.DeviceMajor}:{status.DeviceMinor}");
            }

            if (existing.Length == 0)
            {
                return ("", "");
            }
        }
    }
}
