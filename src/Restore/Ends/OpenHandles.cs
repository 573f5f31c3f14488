namespace Restore.Ends;

/// <summary>
/// How many handles a restore may keep open for speed. A process without a free handle cannot even
/// load its own code, so most stay free.
/// </summary>
internal static class OpenHandles
{
    private const int FolderShare = 8;
    private const int FileShare = 4;

    // An entry may have a file to write and a file to copy from.
    private const int HandlesOfEntry = 2;

    // The code of the program takes up to a hundred: the runtime keeps the files of its assemblies
    // open.
    private const int LeastLimit = 128;

    /// <summary>
    /// Checks that the process may open as many files as it needs. Otherwise, the runtime would end
    /// the process in the middle of its work.
    /// </summary>
    /// <exception cref="RestoreException">The limit of open files is too low.</exception>
    public static void Require()
    {
        if (OperatingSystem.IsLinux() && Kernel.OpenFileLimit() is (int limit and >= 0 and < LeastLimit))
        {
            throw new RestoreException(
                RestoreErrorCode.OpenFilesTooFew,
                $"The limit of open files is {limit:N0}; a restore needs {LeastLimit:N0}"
            );
        }
    }

    /// <summary>
    /// Handles that the process may still open; the largest number if that is unknown.
    /// </summary>
    public static int Spare()
    {
        if (!OperatingSystem.IsLinux() || Kernel.OpenFileLimit() is not (int limit and > 0))
        {
            return int.MaxValue;
        }

        try
        {
            return Math.Max(0, limit - Directory.EnumerateFileSystemEntries("/proc/self/fd").Count());
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }

    /// <summary>How many folders to keep open.</summary>
    /// <param name="most">The limit where there are enough.</param>
    public static int Folders(int spare, int most) => Math.Clamp(spare / FolderShare, 2, most);

    /// <summary>How many entries each of some processes keeps open.</summary>
    /// <param name="most">The limit where there are enough.</param>
    public static int Entries(int spare, int processes, int most) =>
        Math.Clamp(spare / FileShare / HandlesOfEntry / processes, 1, most);
}
