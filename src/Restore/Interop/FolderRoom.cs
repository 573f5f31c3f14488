namespace Restore.Interop;

/// <summary>The room at a folder that is there: of its drive, mount or share.</summary>
internal readonly record struct FolderRoom(long FreeBytes, long TotalBytes, string? Format)
{
    /// <exception cref="IOException">The system does not say.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder is closed to the user.</exception>
    public static FolderRoom At(string folder)
    {
        if (OperatingSystem.IsWindows())
        {
            // A share is no drive, and a path with a prefix (\\?\) is not taken for one.
            return Windows.RoomAt(Path.GetFullPath(folder)) is (var free, var total)
                ? new FolderRoom(free, total, FormatOf(folder))
                : throw new IOException($"the system does not say how much room there is at {folder}");
        }

        DriveInfo drive = new(folder);
        return new FolderRoom(drive.AvailableFreeSpace, drive.TotalSize, drive.DriveFormat);
    }

    private static string? FormatOf(string folder)
    {
        try
        {
            return Path.GetPathRoot(Path.GetFullPath(folder)) is [_, ':', ..] and var drive
                ? new DriveInfo(drive).DriveFormat
                : null;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }
}
