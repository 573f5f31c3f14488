using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Restore.Cli.Interop;

/// <summary>
/// Keeps the machine from going to sleep while a command runs; its screen may. On Windows,
/// 'powercfg /requests' shows the reason; <see cref="SleepInhibitor"/> does it on Linux.
/// </summary>
internal sealed partial class Awake : IDisposable
{
    public const string Option = "allow-sleep";

    private const int SystemRequired = 1;
    private const int SimpleText = 1;

    private readonly SafeFileHandle request;

    private Awake(SafeFileHandle request) => this.request = request;

    /// <summary>
    /// Null on macOS, for a command that ends soon, and if the user lets the computer
    /// sleep.
    /// </summary>
    public static IDisposable? During(bool runsLong, bool maySleep) =>
        maySleep || !runsLong ? null
        : OperatingSystem.IsWindows() ? Request()
        : OperatingSystem.IsLinux() ? SleepInhibitor.Start()
        : null;

    /// <summary>Whether the option has its effect on this system.</summary>
    public static bool IsKnown => OperatingSystem.IsWindows() || OperatingSystem.IsLinux();

    public void Dispose()
    {
        if (OperatingSystem.IsWindows())
        {
            _ = PowerClearRequest(request, SystemRequired);
        }

        request.Dispose();
    }

    [SupportedOSPlatform("windows")]
    private static Awake? Request()
    {
        var text = Marshal.StringToHGlobalUni("restore works with a backup");
        try
        {
            Reason reason = new() { Flags = SimpleText, Text = text };
            var request = PowerCreateRequest(ref reason);
            if (!request.IsInvalid && PowerSetRequest(request, SystemRequired))
            {
                return new Awake(request);
            }

            // A system that takes no such requests goes to sleep as its settings say.
            request.Dispose();
            return null;
        }
        finally
        {
            Marshal.FreeHGlobal(text);
        }
    }

    [SupportedOSPlatform("windows")]
    [LibraryImport("kernel32")]
    private static partial SafeFileHandle PowerCreateRequest(ref Reason reason);

    [SupportedOSPlatform("windows")]
    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool PowerSetRequest(SafeFileHandle request, int kind);

    [SupportedOSPlatform("windows")]
    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool PowerClearRequest(SafeFileHandle request, int kind);

    // REASON_CONTEXT: a version, which is 0, and a union. The text is its shorter member.
    [StructLayout(LayoutKind.Sequential)]
    private struct Reason
    {
        public uint Version;
        public uint Flags;
        public nint Text;
        public nint Unused1;
        public nint Unused2;
    }
}
