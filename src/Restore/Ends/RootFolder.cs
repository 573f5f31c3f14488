using Restore.Ends.Unix;

namespace Restore.Ends;

/// <summary>Operations on the target's own folder by its path, which the user named and which is trusted.</summary>
internal static class RootFolder
{
    /// <summary>Whether the folder is empty. A folder that cannot be listed counts as not empty: each entry is checked then.</summary>
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

    /// <summary>Free space there or, while the folder is missing, at the nearest existing parent.</summary>
    public static long FreeBytes(string rootPath)
    {
        try
        {
            string? existing = rootPath;
            while (existing is not null && !Directory.Exists(existing))
            {
                existing = Path.GetDirectoryName(existing);
            }

            return existing is null ? long.MaxValue : new DriveInfo(existing).AvailableFreeSpace;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            // A network share on Windows is not a drive.
            return long.MaxValue;
        }
    }

    /// <summary>The names in a folder below it that begin with a prefix; none if the folder cannot be read.</summary>
    public static IReadOnlyList<string> NamesIn(string folder, string prefix)
    {
        try
        {
            return [.. Directory.EnumerateFileSystemEntries(folder, prefix + "*").Select(path => Path.GetFileName(path))];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    /// <exception cref="RestoreException">The folder cannot be created.</exception>
    public static void Create(string rootPath)
    {
        try
        {
            if (OperatingSystem.IsWindows() || Directory.Exists(rootPath) || Path.GetDirectoryName(rootPath) is not string parent)
            {
                Directory.CreateDirectory(rootPath);
                return;
            }

            Directory.CreateDirectory(parent);
            Directory.CreateDirectory(rootPath, (UnixFileMode)NewModes.UnfinishedFolder);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new RestoreException(RestoreErrorCode.TargetNotCreated, "The target folder cannot be created", rootPath, exception);
        }
    }
}
