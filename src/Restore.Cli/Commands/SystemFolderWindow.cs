using System.ComponentModel;
using System.Diagnostics;
using Restore.Interop;

namespace Restore.Cli.Commands;

/// <summary>
/// A window of this machine that shows a folder. The folder is an argument of a program, and no
/// shell reads it.
/// </summary>
internal static class SystemFolderWindow
{
    // A program that is still there then is the window itself.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(3);

    /// <summary>Whether the user who started this program sees windows of this machine.</summary>
    public static bool IsThere(CliEnvironment environment) =>
        OperatingSystem.IsWindows() ? Environment.UserInteractive && ProgramOf(environment) is not null
        : OperatingSystem.IsMacOS()
            ? ProgramOf(environment) is not null && environment.Variable("SSH_CONNECTION") is null
        : SystemBrowser.HasWindows(environment) && ProgramOf(environment) is not null;

    /// <returns>What went wrong; null if no failure is known.</returns>
    public static async Task<string?> ShowAsync(string folder, CliEnvironment environment)
    {
        if (ProgramOf(environment) is not { } program)
        {
            return "no program for folders is found";
        }

        try
        {
            var start = SystemPrograms.StartInfo(program, Arguments(folder), SystemBrowser.IsForWindows);
            if (OperatingSystem.IsWindows())
            {
                // Explorer splits its line at commas outside of quotation marks, which a path of
                // Windows cannot have.
                start.ArgumentList.Clear();
                start.Arguments = $"\"{folder}\"";
            }

            return await RunAsync(start, environment);
        }
        catch (Win32Exception failure)
        {
            return failure.Message;
        }
    }

    /// <summary>Of a Mac, a folder with the name of a program would be started if it were opened.</summary>
    private static string[] Arguments(string folder) => OperatingSystem.IsMacOS() ? ["-R", folder] : [folder];

    private static string? ProgramOf(CliEnvironment environment) =>
        OperatingSystem.IsWindows()
            ? SystemPrograms.Find(
                Path.Join(Environment.GetFolderPath(Environment.SpecialFolder.Windows), "explorer.exe")
            )
            : SystemPrograms.Find(OperatingSystem.IsMacOS() ? "open" : "xdg-open", environment.Variable("PATH") ?? "");

    private static async Task<string?> RunAsync(ProcessStartInfo start, CliEnvironment environment)
    {
        var process = Process.Start(start)!;
        var ended = DrainAsync(process);
        try
        {
            await ended.WaitAsync(Patience, environment.Clock);
        }
        catch (TimeoutException)
        {
            return null;
        }

        // Explorer ends with 1 when it has opened a window.
        var exitCode = await ended;
        return exitCode == 0 || OperatingSystem.IsWindows()
            ? null
            : $"{Path.GetFileName(start.FileName)} ended with exit code {exitCode}";
    }

    /// <summary>A program that writes much must not wait for a reader.</summary>
    private static async Task<int> DrainAsync(Process process)
    {
        using (process)
        {
            process.StandardInput.Close();
            await Task.WhenAll(
                process.StandardOutput.BaseStream.CopyToAsync(Stream.Null),
                process.StandardError.BaseStream.CopyToAsync(Stream.Null),
                process.WaitForExitAsync()
            );
            return process.ExitCode;
        }
    }
}
