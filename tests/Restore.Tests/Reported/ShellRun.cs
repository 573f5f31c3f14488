using System.Diagnostics;
using Restore.Cli;

namespace Restore.Tests.Reported;

/// <summary>
/// The program as a process that a program of the system starts: with a limit, or as another user.
/// It never outlives the test.
/// </summary>
internal sealed record ShellRun(int ExitCode, string Text)
{
    private static readonly TimeSpan MaxTime = TimeSpan.FromSeconds(60);

    /// <summary>
    /// The command that starts the program: the published one that RESTORE_PROGRAM names, or the
    /// one that was built with the tests.
    /// </summary>
    public static string[] Program =>
        Environment.GetEnvironmentVariable("RESTORE_PROGRAM") is { Length: > 0 } published
            ? [published]
            : ["dotnet", typeof(ExitCodes).Assembly.Location];

    /// <summary>Runs the program with a limit of open files.</summary>
    public static Task<ShellRun> WithOpenFilesAsync(int limit, params string[] arguments) =>
        OfAsync("/bin/sh", ["-c", $"ulimit -n {limit} && exec \"$@\"", "sh", .. Program, .. arguments]);

    public static async Task<ShellRun> OfAsync(string program, string[] arguments)
    {
        ProcessStartInfo start = new(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = "/",
        };
        (start.Environment["HOME"], start.Environment["TMPDIR"]) = ("/dev/null/home", "/dev/null/tmp");
        using Process process = Process.Start(start)!;
        try
        {
            process.StandardInput.Close();
            Task<string> output = process.StandardOutput.ReadToEndAsync();
            Task<string> error = process.StandardError.ReadToEndAsync();
            await process.WaitForExitAsync().WaitAsync(MaxTime);
            return new ShellRun(process.ExitCode, await output.WaitAsync(MaxTime) + await error.WaitAsync(MaxTime));
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true);
            }
        }
    }
}
