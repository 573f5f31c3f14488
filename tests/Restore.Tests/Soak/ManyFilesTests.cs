using System.Diagnostics;
using System.Globalization;

namespace Restore.Tests.Soak;

/// <summary>
/// Memory is bounded by the plan, the store and the volumes in flight: a restore of 50,000 files
/// does with less than 250 MB.
/// </summary>
[Collection(nameof(Alone))]
[Trait("Suite", "soak")]
public sealed class ManyFilesTests
{
    private const int Folders = 100;
    private const int FilesInEach = 500;
    private const long MaxBytes = 250_000_000;

    [Fact]
    public async Task Fifty_thousand_files_are_restored_in_250_MB()
    {
        using TempFolder folder = new();
        string source = Path.Combine(folder.Path, "source");
        string backup = Path.Combine(folder.Path, "backup");
        MakeSource(source);
        BackupWriterOptions options = new()
        {
            Sources = [source],
            Destination = backup,
            BlockSizeBytes = 100 << 10,
            CompressionLevel = 1,
        };
        await new BackupWriter(options).WriteAsync();

        (int exitCode, long peakBytes, string output) = await RestoreAsync(backup, folder.Root);

        Assert.True(exitCode == 0, $"Exit code {exitCode}: {output}");
        Assert.InRange(peakBytes, 1, MaxBytes);
        Assert.Equal(
            Folders * FilesInEach,
            Directory.EnumerateFiles(folder.Root, "*", SearchOption.AllDirectories).Count()
        );
        for (int i = 0; i < Folders * FilesInEach; i += 997)
        {
            Assert.Equal(ContentOf(i), await File.ReadAllTextAsync(Path.Combine(folder.Root, NameOf(i))));
        }
    }

    private static string NameOf(int i) => $"folder-{i / FilesInEach:D3}/file-{i % FilesInEach:D3}.txt";

    private static string ContentOf(int i) =>
        string.Create(CultureInfo.InvariantCulture, $"This is file {i} of many; half of it is like the others.");

    private static void MakeSource(string source)
    {
        Parallel.For(
            0,
            Folders,
            folder =>
            {
                Directory.CreateDirectory(Path.GetDirectoryName(Path.Combine(source, NameOf(folder * FilesInEach)))!);
                for (int i = folder * FilesInEach; i < (folder + 1) * FilesInEach; i++)
                {
                    File.WriteAllText(Path.Combine(source, NameOf(i)), ContentOf(i));
                }
            }
        );
    }

    /// <summary>
    /// Restores in a separate process with a limited managed heap: a leak ends the process instead
    /// of the machine.
    /// </summary>
    private static async Task<(int ExitCode, long PeakBytes, string Output)> RestoreAsync(string backup, string target)
    {
        ProcessStartInfo start = new(
            "dotnet",
            [Path.Combine(AppContext.BaseDirectory, "Restore.Cli.dll"), backup, "--restore-path", target, "--quiet"]
        )
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["DOTNET_GCHeapHardLimit"] = MaxBytes.ToString("X", CultureInfo.InvariantCulture);
        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        long peak = 0;
        Task exit = process.WaitForExitAsync();
        while (await Task.WhenAny(exit, Task.Delay(50)) != exit)
        {
            peak = Math.Max(peak, ReadPeak(process.Id));
        }

        return (process.ExitCode, peak, await output + await errors);
    }

    /// <summary>
    /// The most that was resident, as the kernel counts it; 0 when the process has ended.
    /// </summary>
    private static long ReadPeak(int process)
    {
        try
        {
            string? line = File.ReadLines($"/proc/{process}/status")
                .FirstOrDefault(line => line.StartsWith("VmHWM:", StringComparison.Ordinal));
            return line is null
                ? 0
                : long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[^2], CultureInfo.InvariantCulture)
                    * 1024;
        }
        catch (IOException)
        {
            return 0;
        }
    }
}
