using Restore.Ends.Unix;

namespace Restore.Ends;

/// <summary>
/// Operations on the target's own folder by its path, which the user named and which is trusted.
/// </summary>
internal static class RootFolder
{
    /// <summary>
    /// Whether the folder is empty. A folder that cannot be listed counts as not empty: each entry
    /// is checked then.
    /// </summary>
    public static bool IsEmpty(string rootPath)
    {
        try
        {
            return !Directory.EnumerateFileSystemEntries(rootPath).Any();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <summary>
    /// The room there or, while the folder is missing, at the nearest existing parent.
    /// </summary>
    public static TargetRoom RoomAt(string path)
    {
        try
        {
            string? existing = path;
            while (existing is not null && !Directory.Exists(existing))
            {
                existing = Path.GetDirectoryName(existing);
            }

            if (existing is not null && OperatingSystem.IsWindows())
            {
                // A share is no drive, and a folder of a drive can have a quota of its own.
                return Windows.RoomAt(existing) is (var free, > 0 and var size)
                    ? new TargetRoom(free, size)
                    : TargetRoom.Unknown;
            }

            // Some file systems over a network do not know their size, and say 0.
            return existing is not null && new DriveInfo(existing) is { TotalSize: > 0 and var total } drive
                ? new TargetRoom(drive.AvailableFreeSpace, total)
                : TargetRoom.Unknown;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return TargetRoom.Unknown;
        }
    }

    /// <summary>
    /// The names in a folder below it that begin with a prefix; none if there is no folder.
    /// </summary>
    /// <exception cref="IOException">The folder cannot be listed.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder must not be listed.</exception>
    public static IReadOnlyList<string> NamesIn(string folder, string prefix)
    {
        try
        {
            return
            [
                .. Directory.EnumerateFileSystemEntries(folder, prefix + "*").Select(path => Path.GetFileName(path)),
            ];
        }
        catch (DirectoryNotFoundException)
        {
            return [];
        }
    }

    public static void Create(string rootPath)
    {
        try
        {
            if (
                OperatingSystem.IsWindows()
                || Directory.Exists(rootPath)
                || Path.GetDirectoryName(rootPath) is not string parent
            )
            {
                Directory.CreateDirectory(rootPath);
                return;
            }

            Directory.CreateDirectory(parent);
            Directory.CreateDirectory(rootPath, (UnixFileMode)NewModes.UnfinishedFolder);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new RestoreException(
                RestoreErrorCode.TargetNotCreated,
                $"The target folder cannot be created: {(Windows.IsRootMissing(rootPath) ? Windows.NoRoot : exception.Reason())}",
                rootPath,
                exception
            );
        }
    }
}
