using Restore.Cli.Interop;

namespace Restore.Cli;

/// <summary>
/// The program's memory has the passphrase and plain content, so a crash must not leave it on a
/// disk, where the system may send it on.
/// </summary>
internal static unsafe class CoreDumps
{
    private const int SetDumpable = 4;
    private const int CoreSizeLimit = 4;

    /// <summary>
    /// Leaves no core dump of this process. On Linux other processes of the user cannot read its
    /// memory either.
    /// </summary>
    public static void Prevent()
    {
        if (OperatingSystem.IsLinux())
        {
            // The limit alone would not do: the system gives dumps to a program (systemd-coredump,
            // apport) whatever the limit is.
            _ = HostLibc.ProcessControl(SetDumpable, 0, 0, 0, 0);
        }
        else if (OperatingSystem.IsMacOS())
        {
            ulong* none = stackalloc ulong[2] { 0, 0 };
            _ = HostLibc.SetRLimit(CoreSizeLimit, none);
        }
    }
}
