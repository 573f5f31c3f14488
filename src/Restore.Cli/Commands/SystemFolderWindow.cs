using System.ComponentModel;
using System.Diagnostics;
using Restore.Interop;

namespace Restore.Cli.Commands;

/// <summary>
/// A window of this machine that shows a folder. The folder is an argument of a program, and no
/// shell splits or expands it.
/// </summary>
internal static class SystemFolderWindow
{
    /// <summary>Whether the user who started this program sees windows of this machine.</summary>
    public static bool IsThere(CliEnvironment environment) =>
        ProgramOf(environment) is not null
        && (
            OperatingSystem.IsWindows() ? Environment.UserInteractive
            : OperatingSystem.IsMacOS() ? environment.Variable("SSH_CONNECTION") is null
            : SystemBrowser.HasWindows(environment)
        );

    /// <returns>What went wrong; null if no failure is known.</returns>
    public static async Task<string?> ShowAsync(string folder, CliEnvironment environment)
    {
        if (ProgramOf(environment) is not { } program)
        {
            return "no program for folders is found";
        }

        try
        {
            if (!OperatingSystem.IsWindows())
            {
                return await SystemBrowser.StartAsync(environment, program, Arguments(folder));
            }

            // Explorer splits its line at commas outside of quotation marks, which a path of
            // Windows cannot have. Its exit code is 1 when it has opened a window.
            var start = SystemPrograms.StartInfo(program, [], SystemBrowser.IsForWindows);
            start.Arguments = $"\"{folder}\"";
            (start.RedirectStandardInput, start.RedirectStandardOutput, start.RedirectStandardError) = (
                false,
                false,
                false
            );
            Process.Start(start)?.Dispose();
            return null;
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
}
