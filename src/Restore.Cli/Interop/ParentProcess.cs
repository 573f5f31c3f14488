using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Restore.Cli.Interop;

/// <summary>The program that started this one, which is a shell mostly.</summary>
internal static partial class ParentProcess
{
    private const int BasicInformation = 0;

    /// <summary>
    /// Whether it is PowerShell, of Windows or a later one. False if the system does not say.
    /// </summary>
    public static bool IsPowerShell() => OperatingSystem.IsWindows() && IsPowerShell(Name());

    internal static bool IsPowerShell(string? name) =>
        name is not null
        && (
            name.StartsWith("powershell", StringComparison.OrdinalIgnoreCase)
            || name.StartsWith("pwsh", StringComparison.OrdinalIgnoreCase)
        );

    [SupportedOSPlatform("windows")]
    private static string? Name()
    {
        try
        {
            using var own = Process.GetCurrentProcess();
            Information information = default;
            if (
                NtQueryInformationProcess(
                    own.Handle,
                    BasicInformation,
                    ref information,
                    Marshal.SizeOf<Information>(),
                    out _
                ) != 0
            )
            {
                return null;
            }

            // It may have ended, and its number may belong to a program that was started later.
            using var parent = Process.GetProcessById((int)information.Parent);
            return parent.StartTime <= own.StartTime ? parent.ProcessName : null;
        }
        catch (Exception failure)
            when (failure is ArgumentException or InvalidOperationException or System.ComponentModel.Win32Exception)
        {
            return null;
        }
    }

    // PROCESS_BASIC_INFORMATION: the numbers of this process and of its parent are the last two.
    [StructLayout(LayoutKind.Sequential)]
    private struct Information
    {
        public nint ExitStatus;
        public nint Block;
        public nint Affinity;
        public nint Priority;
        public nint Own;
        public nint Parent;
    }

    [SupportedOSPlatform("windows")]
    [LibraryImport("ntdll")]
    private static partial int NtQueryInformationProcess(
        nint process,
        int kind,
        ref Information information,
        int length,
        out int returned
    );
}
