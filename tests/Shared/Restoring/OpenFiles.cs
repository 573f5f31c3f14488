namespace Restore.Tests.Restoring;

/// <summary>
/// The open files of this process, from the kernel. Only those below a folder count: other tests
/// run concurrently.
/// </summary>
internal static class OpenFiles
{
    public static string[] Below(string folder) =>
        [
            .. Directory
                .EnumerateFileSystemEntries("/proc/self/fd")
                .Select(Target)
                .OfType<string>()
                .Where(path => path.StartsWith(folder, StringComparison.Ordinal)),
        ];

    private static string? Target(string handle)
    {
        try
        {
            return new FileInfo(handle).LinkTarget;
        }
        catch (IOException)
        {
            // Closed in the meantime.
            return null;
        }
    }
}
