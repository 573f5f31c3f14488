using System.Diagnostics;
using System.Text;

namespace Restore.Tests.Systems;

/// <summary>The program for another system, run here by an emulator.</summary>
/// <param name="Path">A program of this system that runs it with the given arguments:
/// <c>.ci/try-windows</c> and <c>.ci/try-arm</c> make one.</param>
/// <param name="IsWindows">Whether it is for Windows, under Wine.</param>
internal sealed record OtherProgram(string Path, bool IsWindows)
{
    // Wine's part of the runtime sometimes cannot suspend a thread, and then ends the program or
    // never continues.
    private const int Tries = 3;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    public static OtherProgram Windows =>
        new(Environment.GetEnvironmentVariable(NeedsOtherProgramAttribute.Windows)!, IsWindows: true);

    public static OtherProgram Arm =>
        new(Environment.GetEnvironmentVariable(NeedsOtherProgramAttribute.Arm)!, IsWindows: false);

    /// <summary>The folder that Wine shows as the drive C.</summary>
    public static string DriveC => System.IO.Path.Combine(Environment.GetEnvironmentVariable("WINEPREFIX")!, "drive_c");

    /// <summary>How the other system names a path of this one.</summary>
    public string PathOf(string path) => IsWindows ? "Z:" + path.Replace('/', '\\') : path;

    public async Task<ProgramResult> RunAsync(params string[] arguments)
    {
        for (int tries = 1; ; tries++)
        {
            ProgramResult? result = await TryAsync(arguments);
            if (result is not null && !(IsWindows && result.Error.Contains("Fatal error.", StringComparison.Ordinal)))
            {
                return result;
            }

            Assert.True(
                tries < Tries,
                $"The emulator ended or did not end: restore {string.Join(' ', arguments)}\n{result?.Error}"
            );
        }
    }

    public Process Start(params string[] arguments)
    {
        ProcessStartInfo start = new(Path, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        Process process = Process.Start(start)!;
        process.StandardInput.Close();
        return process;
    }

    private async Task<ProgramResult?> TryAsync(string[] arguments)
    {
        using Process process = Start(arguments);
        using MemoryStream output = new();
        Task<string> error = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        Task copy = process.StandardOutput.BaseStream.CopyToAsync(output, TestContext.Current.CancellationToken);
        try
        {
            await Task.WhenAll(copy, error, process.WaitForExitAsync(TestContext.Current.CancellationToken))
                .WaitAsync(Patience);
        }
        catch (TimeoutException)
        {
            process.Kill(entireProcessTree: true);
            return null;
        }

        return new ProgramResult(process.ExitCode, output.ToArray(), await error);
    }
}

/// <summary>What a run of a program left.</summary>
internal sealed record ProgramResult(int ExitCode, byte[] Bytes, string Error)
{
    /// <summary>The output with the line ends of this system.</summary>
    public string Output => Encoding.UTF8.GetString(Bytes).ReplaceLineEndings("\n");
}
