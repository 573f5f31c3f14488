namespace Restore.Ends;

/// <summary>What is asked of the target's own folder by its path, which the user gave and which is trusted.</summary>
internal static class RootFolder
{
    /// <summary>Whether nothing is in it. One that may not be listed counts as not empty: each entry is looked at then.</summary>
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

    /// <summary>Room left there or, while it is missing, at the nearest folder above it.</summary>
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
            // A network share on Windows is no drive.
            return long.MaxValue;
        }
    }

    /// <exception cref="RestoreException">It cannot be created.</exception>
    public static void Create(string rootPath)
    {
        try
        {
            Directory.CreateDirectory(rootPath);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new RestoreException(RestoreErrorCode.TargetNotCreated, "The target folder cannot be created", rootPath, exception);
        }
    }
}
