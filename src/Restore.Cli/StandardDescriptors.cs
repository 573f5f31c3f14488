using Restore.Interop;

namespace Restore.Cli;

/// <summary>
/// The numbers of the standard input, output and error. One that is closed would be that of the
/// next file, which would get the report.
/// </summary>
internal static class StandardDescriptors
{
    private const int Last = 2;

    /// <summary>Opens those that are closed on the device that takes everything.</summary>
    public static void Fill()
    {
        var opened = OperatingSystem.IsWindows() ? -1 : 0;
        while (opened is >= 0 and <= Last)
        {
            opened = Libc.Open("/dev/null", Libc.ReadWrite, 0);
        }

        if (opened > Last)
        {
            _ = Libc.Close(opened);
        }
    }
}
