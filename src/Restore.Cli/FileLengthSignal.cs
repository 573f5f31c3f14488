using System.Runtime.InteropServices;

namespace Restore.Cli;

/// <summary>
/// The signal of a write beyond the limit of the length of files (<c>ulimit -f</c>). By default it
/// ends the program without a word; handled, the write fails as any other does. Programs that this
/// one starts have the default.
/// </summary>
internal static class FileLengthSignal
{
    // SIGXFSZ, on Linux and macOS.
    private const int Number = 25;

    /// <returns>What keeps it handled; null on a system that has no such signal.</returns>
    public static PosixSignalRegistration? Handle() =>
        OperatingSystem.IsWindows()
            ? null
            : PosixSignalRegistration.Create((PosixSignal)Number, context => context.Cancel = true);
}
