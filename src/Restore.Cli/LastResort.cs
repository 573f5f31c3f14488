using System.Text;
using Restore.Cli.Interop;

namespace Restore.Cli;

/// <summary>
/// What happens to an exception that nothing catches, such as one of a thread that the system did
/// not give, or one before the program can do anything: a message and an exit code instead of a
/// stack trace and an abort. What ends the runtime itself, without an exception, does not come here.
/// </summary>
internal static class LastResort
{
    private const int StandardError = 2;

    /// <summary>Ends the process by this from now on.</summary>
    public static void Register()
    {
        // What it needs is loaded now: later there may be no memory or no file handle for it.
        Print(Describe(null).Text[..0]);
        AppDomain.CurrentDomain.UnhandledException += (_, unhandled) => End(unhandled.ExceptionObject as Exception);
    }

    private static void End(Exception? cause)
    {
        var (code, text) = Describe(cause);
        if (OperatingSystem.IsWindows())
        {
            EndOnWindows(code, text);
        }

        // The console and an orderly exit need memory and threads, which may be what is missing.
        Print(text);
        HostLibc.ExitNow(code);
    }

    private static void Print(string text)
    {
        if (!OperatingSystem.IsWindows())
        {
            byte[] bytes = Encoding.UTF8.GetBytes(text);
            _ = HostLibc.Write(StandardError, bytes, (nuint)bytes.Length);
        }
    }

    /// <summary>By itself, since a method is compiled with all that it names.</summary>
    private static void EndOnWindows(int code, string text)
    {
        Console.Error.Write(text);
        Environment.Exit(code);
    }

    private static (int Code, string Text) Describe(Exception? cause)
    {
        try
        {
            var failure = Failure.Of(cause ?? new InvalidOperationException("unknown"), isInterrupted: false);
            return (failure.ExitCode, $"{string.Join('\n', failure.Lines)}\n");
        }
        catch (Exception)
        {
            // Not even that works, for example because no further file can be opened.
            var inner = cause;
            while (inner?.InnerException is { } next)
            {
                inner = next;
            }

            const int Failed = 3;
            return (Failed, $"The program cannot run ({inner?.Message ?? "unknown error"})\n");
        }
    }
}
