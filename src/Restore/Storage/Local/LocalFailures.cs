namespace Restore.Storage.Local;

/// <summary>Maps failures of a file system to the exceptions of a restore.</summary>
internal static class LocalFailures
{
    public static FileNotFoundException Missing(string name, string folder, Exception? cause = null) =>
        new($"{name} does not exist in {folder}", name, cause);

    public static RestoreException OfListing(Exception cause, string folder)
    {
        if (File.Exists(folder))
        {
            return new RestoreException(RestoreErrorCode.LocationIsFile, "The backup's location is a file", folder, cause);
        }

        return cause is DirectoryNotFoundException
            ? new RestoreException(RestoreErrorCode.LocationNotFound, "There is no such folder", folder, cause)
            : new RestoreException(RestoreErrorCode.FolderUnreadable, $"The folder cannot be listed: {cause.Reason()}", folder, cause);
    }
}
