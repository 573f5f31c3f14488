using Restore.Interop;

namespace Restore.Cli;

/// <summary>
/// The descriptors of the standard input, output and error. The system gives the number of a closed
/// one to the next file that is opened, and that file would get the report.
/// </summary>
internal static class StandardDescriptors
{
    private const int Last = 2;

    /// <summary>Opens closed descriptors on the null device.</summary>
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
