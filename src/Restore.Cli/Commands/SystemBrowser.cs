using System.ComponentModel;
using System.Diagnostics;
using Restore.Interop;

namespace Restore.Cli.Commands;

/// <summary>The browser of this machine, which goes on when this program ends.</summary>
internal static class SystemBrowser
{
    // What a program with windows needs beside the variables of every program.
    private static readonly string[] OfWindows =
    [
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "XAUTHORITY",
        "DBUS_SESSION_BUS_ADDRESS",
        "BROWSER",
        "DESKTOP_SESSION",
        "GNOME_DESKTOP_SESSION_ID",
        "KDE_FULL_SESSION",
    ];

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(3);

    /// <summary>Whether a program with windows needs a variable.</summary>
    public static bool IsForWindows(string variable) => OfWindows.Contains(variable);

    /// <summary>Whether Linux shows windows to the user who started this program.</summary>
    public static bool HasWindows(CliEnvironment environment) =>
        environment.Variable("DISPLAY") is { Length: > 0 }
        || environment.Variable("WAYLAND_DISPLAY") is { Length: > 0 };

    /// <returns>What went wrong; null if no failure is known.</returns>
    public static async Task<string?> OpenAsync(Uri address, CliEnvironment environment)
    {
        try
        {
            if (OperatingSystem.IsWindows())
            {
                Process.Start(new ProcessStartInfo(address.AbsoluteUri) { UseShellExecute = true })?.Dispose();
                return null;
            }

            var name = OperatingSystem.IsMacOS() ? "open" : "xdg-open";
            if (SystemPrograms.Find(name, environment.Variable("PATH") ?? "") is not { } program)
            {
                return $"there is no program {name}";
            }

            return await StartAsync(environment, program, address.AbsoluteUri);
        }
        catch (Win32Exception failure)
        {
            return $"no browser can be started ({failure.Message})";
        }
    }

    /// <summary>
    /// Starts a program that shows a window. The arguments reach it as they are: the shell that
    /// silences it does not read them.
    /// </summary>
    /// <returns>What went wrong; null if no failure is known.</returns>
    /// <exception cref="Win32Exception">The program cannot be started.</exception>
    public static async Task<string?> StartAsync(CliEnvironment environment, string program, params string[] arguments)
    {
        using var process = Process.Start(Silent(program, arguments))!;
        using var patience = new CancellationTokenSource(Patience, environment.Clock);
        try
        {
            await process.WaitForExitAsync(patience.Token);
        }
        catch (OperationCanceledException)
        {
            // It is the window itself, and runs.
            return null;
        }

        return process.ExitCode == 0 ? null : $"{Path.GetFileName(program)} ended with exit code {process.ExitCode}";
    }

    /// <summary>
    /// Browsers write a lot to their terminal, and end if they write to a pipe without a reader.
    /// </summary>
    private static ProcessStartInfo Silent(string program, string[] arguments)
    {
        var start = SystemPrograms.StartInfo(
            "/bin/sh",
            ["-c", "exec \"$0\" \"$@\" </dev/null >/dev/null 2>&1", program, .. arguments],
            IsForWindows
        );
        (start.RedirectStandardInput, start.RedirectStandardOutput, start.RedirectStandardError) = (
            false,
            false,
            false
        );
        return start;
    }
}
