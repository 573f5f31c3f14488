using System.Diagnostics;
using System.Globalization;
using Restore.Tests.Cli;

namespace Restore.Tests.Trust;

/// <summary>
/// A run of the program; its peak memory is that of the kernel, looked at until it ends.
/// </summary>
/// <remarks>
/// Memory of this process would say less: how long its collector waits depends on the tests that
/// ran before.
/// </remarks>
internal static class MeasuredProgram
{
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(100);

    public static async Task<(int ExitCode, string Output, long PeakBytes)> RunAsync(params string[] arguments)
    {
        string[] command = ProgramRun.CommandOf(arguments);
        ProcessStartInfo start = new(command[0], command[1..])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        try
        {
            process.StandardInput.Close();
            Task<string> output = process.StandardOutput.ReadToEndAsync();
            Task<string> error = process.StandardError.ReadToEndAsync();
            Task exit = process.WaitForExitAsync();
            long since = TimeProvider.System.GetTimestamp();
            long peak = 0;
            while (!exit.IsCompleted)
            {
                Assert.True(TimeProvider.System.GetElapsedTime(since) < Patience, "The program has not ended");
                peak = Math.Max(peak, PeakOf(process.Id));
                await Task.WhenAny(exit, Task.Delay(10));
            }

            return (process.ExitCode, await output.WaitAsync(Patience) + await error.WaitAsync(Patience), peak);
        }
        finally
        {
            process.Kill(entireProcessTree: true);
        }
    }

    private static long PeakOf(int processId)
    {
        try
        {
            string? line = File.ReadLines($"/proc/{processId}/status")
                .FirstOrDefault(line => line.StartsWith("VmHWM:", StringComparison.Ordinal));
            return line is null
                ? 0
                : long.Parse(
                    line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[^2].Trim(),
                    CultureInfo.InvariantCulture
                ) * 1024;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // It has ended.
            return 0;
        }
    }
}
