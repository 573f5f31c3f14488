using System.ComponentModel;
using System.Diagnostics;
using Restore.Interop;

namespace Restore.Cli.Interop;

/// <summary>
/// Keeps a Linux machine with systemd from going to sleep: a program that holds the lock runs
/// beside this one, until its input ends. It ends with this process in any case.
/// </summary>
internal sealed class SleepInhibitor : IDisposable
{
    private const string Program = "systemd-inhibit";

    // sd_booted(3): whether systemd runs this machine.
    private const string Mark = "/run/systemd/system";

    private readonly Process process;

    private SleepInhibitor(Process process) => this.process = process;

    /// <summary>Null where there is no systemd.</summary>
    /// <param name="searchPath">Where programs are; null for the variable PATH.</param>
    public static SleepInhibitor? Start(string mark = Mark, string? searchPath = null)
    {
        if (
            !Directory.Exists(mark)
            || SystemPrograms.Find(Program, searchPath) is not { } inhibit
            || SystemPrograms.Find("cat") is not { } wait
        )
        {
            return null;
        }

        try
        {
            // In a session of its own, so that nothing asks for a password, and Ctrl-C goes to this
            // program alone. A user who may not keep the machine awake gets no lock, and no word.
            string[] arguments =
            [
                "--what=sleep",
                "--mode=block",
                "--who=restore",
                "--why=restore works with a backup",
                wait,
            ];
            return new SleepInhibitor(
                Process.Start(SystemPrograms.InOwnGroup(SystemPrograms.StartInfo(inhibit, arguments), out _))!
            );
        }
        catch (Win32Exception)
        {
            return null;
        }
    }

    public void Dispose()
    {
        try
        {
            process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It has ended.
        }

        process.Dispose();
    }
}
