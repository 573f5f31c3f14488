using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Restore.Cli;

/// <summary>
/// The window that Windows opens for a program that a double click starts. It goes away when the
/// program ends, with all that the program said.
/// </summary>
internal static partial class ConsoleWindow
{
    /// <summary>Whether no other program, such as a shell, uses the console.</summary>
    public static bool IsOwn() => OperatingSystem.IsWindows() && Processes() == 1;

    /// <summary>
    /// Waits for a key before the window goes away. Only what people start by a click is waited
    /// for: a task of the system has a console of its own too, and must end.
    /// </summary>
    public static void Hold(IReadOnlyList<string> arguments, CliEnvironment environment)
    {
        if (!environment.OwnsWindow || !IsForPeople(arguments))
        {
            return;
        }

        try
        {
            environment.Output.Flush();
            environment.Error.Write("Press a key to close this window ");
            _ = Console.ReadKey(intercept: true);
        }
        catch (Exception failure) when (failure is IOException or InvalidOperationException)
        {
            // The window is closed already.
        }
    }

    /// <summary>The guide, and the page, which the Explorer starts.</summary>
    internal static bool IsForPeople(IReadOnlyList<string> arguments) => arguments is [] or ["browse", ..];

    [SupportedOSPlatform("windows")]
    private static uint Processes() => GetConsoleProcessList(new uint[2], 2);

    [SupportedOSPlatform("windows")]
    [LibraryImport("kernel32")]
    private static partial uint GetConsoleProcessList([Out] uint[] processes, uint count);
}
