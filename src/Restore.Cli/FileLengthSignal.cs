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

    // Kept until the process ends: the runtime handles a signal on a thread of its own, and gives a
    // signal that it takes up after the registration is gone its default effect.
    private static readonly Lazy<PosixSignalRegistration> Registration = new(() =>
        PosixSignalRegistration.Create((PosixSignal)Number, context => context.Cancel = true)
    );

    /// <summary>
    /// Handles the signal from now on. Does nothing on a system without it.
    /// </summary>
    public static void Handle()
    {
        if (!OperatingSystem.IsWindows())
        {
            _ = Registration.Value;
        }
    }
}
