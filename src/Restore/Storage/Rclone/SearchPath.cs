namespace Restore.Storage.Rclone;

/// <summary>Finds programs as a shell would.</summary>
internal static class SearchPath
{
    /// <summary>The full path of a program; null if it is not found. A name with a folder in it is returned unchanged.</summary>
    public static string? Find(string program)
    {
        if (program.Contains('/') || program.Contains(Path.DirectorySeparatorChar))
        {
            return File.Exists(program) ? Path.GetFullPath(program) : null;
        }

        string[] names = OperatingSystem.IsWindows() ? [program + ".exe", program] : [program];
        return (Environment.GetEnvironmentVariable("PATH") ?? "")
            .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
            .SelectMany(folder => names.Select(name => Path.Combine(folder, name)))
            .FirstOrDefault(File.Exists);
    }
}
