namespace Restore.Tests.Restoring;

/// <summary>The files that this process has open, as the kernel tells. Only those below a folder are of interest: other tests run beside.</summary>
internal static class OpenFiles
{
    public static string[] Below(string folder) =>
        [.. Directory.EnumerateFileSystemEntries("/proc/self/fd").Select(Target).OfType<string>()
            .Where(path => path.StartsWith(folder, StringComparison.Ordinal))];

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
