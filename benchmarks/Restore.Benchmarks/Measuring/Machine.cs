using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;

namespace Restore.Benchmarks.Measuring;

/// <summary>The description of the machine in a result.</summary>
internal sealed partial record Machine(
    string Processor,
    int Cores,
    long MemoryBytes,
    string System,
    string Runtime,
    string FileSystem
)
{
    public static Machine Describe(string workFolder) =>
        new(
            First("/proc/cpuinfo", ModelName()) ?? RuntimeInformation.ProcessArchitecture.ToString(),
            Environment.ProcessorCount,
            GC.GetGCMemoryInfo().TotalAvailableMemoryBytes,
            RuntimeInformation.OSDescription,
            RuntimeInformation.FrameworkDescription,
            FileSystemOf(workFolder)
        );

    /// <summary>Memory that is unused, even by the page cache.</summary>
    public static long FreeBytes() =>
        First("/proc/meminfo", MemFree()) is { } kibibytes
            ? long.Parse(kibibytes, CultureInfo.InvariantCulture) * 1024
            : 0;

    /// <summary>Writes the dirty pages of the page cache to the disk.</summary>
    public static void Sync()
    {
        if (OperatingSystem.IsLinux())
        {
            SyncCall();
        }
    }

    private static string? First(string file, Regex pattern) =>
        File.Exists(file) && pattern.Match(File.ReadAllText(file)) is { Success: true } match
            ? match.Groups[1].Value.Trim()
            : null;

    private static string FileSystemOf(string folder)
    {
        string full = Path.GetFullPath(folder);
        DriveInfo? drive = DriveInfo
            .GetDrives()
            .Where(one => full.StartsWith(one.Name, StringComparison.Ordinal))
            .OrderByDescending(one => one.Name.Length)
            .FirstOrDefault();
        return drive?.DriveFormat ?? "unknown";
    }

    [GeneratedRegex(@"^model name\s*:(.*)$", RegexOptions.Multiline)]
    private static partial Regex ModelName();

    [GeneratedRegex(@"^MemFree:\s*([0-9]+) kB", RegexOptions.Multiline)]
    private static partial Regex MemFree();

    [LibraryImport("libc", EntryPoint = "sync")]
    private static partial void SyncCall();
}
