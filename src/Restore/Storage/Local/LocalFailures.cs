namespace Restore.Storage.Local;

internal static class LocalFailures
{
    public static FileNotFoundException Missing(string name, string folder, Exception? cause = null) =>
        new($"{name} does not exist in {folder}", name, cause);

    /// <summary>Whether the process or the system has no free handle, which passes.</summary>
    public static bool IsTooManyOpen(IOException failure) =>
        !OperatingSystem.IsWindows() && failure.HResult is 23 or 24;

    public static RestoreException Gone(string folder, Exception? cause) =>
        new(RestoreErrorCode.StoreLost, "The store is gone", folder, cause);

    /// <summary>Nothing of it answers.</summary>
    public static RestoreException Silent(string folder, TimeoutException cause) =>
        new(
            RestoreErrorCode.StoreLost,
            $"The store no longer answers: {char.ToLowerInvariant(cause.Message[0])}{cause.Message[1..]}",
            folder,
            cause
        );

    public static RestoreException OfListing(Exception cause, string folder)
    {
        if (File.Exists(folder))
        {
            return new RestoreException(
                RestoreErrorCode.LocationIsFile,
                "The backup's location is a file",
                folder,
                cause
            );
        }

        return cause is DirectoryNotFoundException
            ? new RestoreException(RestoreErrorCode.LocationNotFound, "There is no such folder", folder, cause)
            : new RestoreException(
                RestoreErrorCode.FolderUnreadable,
                $"The folder cannot be listed: {ReasonOf(cause)}",
                folder,
                cause
            );
    }

    /// <summary>The message of the system, without the path at its end.</summary>
    private static string ReasonOf(Exception cause) =>
        cause is UnauthorizedAccessException ? "permission denied" : cause.Reason();
}
