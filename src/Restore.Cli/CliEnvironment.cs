using System.Runtime.InteropServices;
using Restore.Cli.Interop;
using Restore.Interop;

namespace Restore.Cli;

/// <summary>Everything the host takes from its process, so that tests can run the whole host in their own process.</summary>
internal sealed record CliEnvironment
{
    public required TextWriter Output { get; init; }

    /// <summary>Why something that was written to <see cref="Output"/> did not arrive; null if nothing is lost.</summary>
    public Func<Exception?> OutputFailure { get; init; } = static () => null;

    /// <summary>Opens the standard output for bytes. A command uses this or <see cref="Output"/>.</summary>
    public Func<Stream> OpenOutput { get; init; } = static () => Stream.Null;

    /// <summary>Gives a token that is cancelled when the reader of the standard output goes away.</summary>
    public Func<CancellationToken> WatchReader { get; init; } = static () => CancellationToken.None;

    /// <summary>Everything else: progress, notes, errors.</summary>
    public required TextWriter Error { get; init; }

    /// <summary>The input for <c>--passphrase-file=-</c>.</summary>
    public TextReader Input { get; init; } = TextReader.Null;
    public Func<string, string?> Variable { get; init; } = static _ => null;

    /// <summary>Whether progress can be drawn on the error stream.</summary>
    public bool CanDraw { get; init; }

    /// <summary>The columns of the terminal.</summary>
    public Func<int> TerminalWidth { get; init; } = static () => 80;

    /// <summary>Whether the standard output is a terminal, so that a person reads it.</summary>
    public bool OutputIsTerminal { get; init; }

    /// <summary>Asks for a secret without echo and returns null if none was entered; null if there is no terminal.</summary>
    public Func<string, string?>? AskSecret { get; init; }

    /// <summary>Asks for a line and returns it; null if there is no terminal.</summary>
    public Func<string, string?>? Ask { get; init; }
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>Opens the <c>restore.html</c> that the program carries; null if it has none.</summary>
    public Func<Stream?> OpenRestorer { get; init; } = Restorer.OpenResource;

    /// <summary>The first interruption: end gracefully.</summary>
    public CancellationToken StopToken { get; init; }

    /// <summary>The second interruption: end immediately.</summary>
    public CancellationToken CancellationToken { get; init; }

    public bool IsInterrupted => StopToken.IsCancellationRequested || CancellationToken.IsCancellationRequested;

    /// <summary>
    /// A path with the home folder in place of a tilde, which no shell has replaced after <c>--name=</c> and in an answer. A folder of that name is <c>./~</c>.
    /// </summary>
    public string FromHome(string path) =>
        (path == "~" || path.StartsWith("~/", StringComparison.Ordinal) || (OperatingSystem.IsWindows() && path.StartsWith(@"~\", StringComparison.Ordinal)))
        && Variable(OperatingSystem.IsWindows() ? "USERPROFILE" : "HOME") is { Length: > 0 } home ? home + path[1..] : path;

    private static Encoding Utf16 => new UnicodeEncoding(bigEndian: false, byteOrderMark: false);

    /// <summary>Does not use Console.Out: creating it reads the terminal's description.</summary>
    public static CliEnvironment OfProcess(Interruption interruption)
    {
        var errorIsTerminal = !Console.IsErrorRedirected;
        var hasTerminal = errorIsTerminal && !Console.IsInputRedirected;
        Stream bytes = Console.OpenStandardOutput();
        if (OperatingSystem.IsWindows())
        {
            // The code page of a console lacks most characters. Streams opened from here on write UTF-16 to it, and its code page stays as it is.
            Console.OutputEncoding = Utf16;
        }

        StandardStream output = new(Console.OpenStandardOutput());
        var text = OpenText(output);
        return new CliEnvironment
        {
            OutputFailure = () => output.Failure,
            Output = text,
            OpenOutput = () => OperatingSystem.IsWindows() ? bytes : new OutputPipe(),
            WatchReader = static () => OperatingSystem.IsWindows() ? CancellationToken.None : OutputPipe.WatchReader(),
            Error = new StreamWriter(new StandardStream(Console.OpenStandardError()), EncodingFor(!errorIsTerminal)) { AutoFlush = true },
            Input = Console.IsInputRedirected ? new StreamReader(Console.OpenStandardInput()) : TextReader.Null,
            Variable = Environment.GetEnvironmentVariable,
            OutputIsTerminal = !Console.IsOutputRedirected,
            CanDraw = errorIsTerminal && Environment.GetEnvironmentVariable("TERM") != "dumb",
            TerminalWidth = Columns,
            AskSecret = hasTerminal ? prompt => TerminalInput.AskSecret(text, prompt, () => interruption.Interrupt()) : null,
            Ask = hasTerminal ? prompt => TerminalInput.Ask(text, prompt, () => interruption.Interrupt()) : null,
            StopToken = interruption.StopToken,
            CancellationToken = interruption.CancellationToken,
        };
    }

    private static StreamWriter OpenText(Stream output)
    {
        const int BufferBytes = 1 << 14;
        var encoding = EncodingFor(Console.IsOutputRedirected);
        return Console.IsOutputRedirected ? new StreamWriter(output, encoding, BufferBytes) : new ScreenWriter(output, encoding, BufferBytes)
        {
            Columns = Columns,
            HasColors = ScreenWriter.WantsColors(Environment.GetEnvironmentVariable),
        };
    }

    private static int Columns() => Console.WindowWidth is > 0 and var columns ? columns : 80;

    private static Encoding EncodingFor(bool redirected) =>
        OperatingSystem.IsWindows() && !redirected ? Utf16 : new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
}

/// <summary>
/// Turns Ctrl-C, SIGTERM and the end of the terminal (SIGHUP) into tokens: the first ends gracefully, the second immediately, the third is left to the system.
/// The end of the terminal counts once, since the shell says it and the system too.
/// </summary>
internal sealed class Interruption : IDisposable
{
    private readonly CancellationTokenSource stop = new();
    private readonly CancellationTokenSource cancel = new();
    private readonly PosixSignalRegistration interrupt;
    private readonly PosixSignalRegistration terminate;
    private readonly PosixSignalRegistration hangUp;
    private int signals;
    private int hangUps;

    public Interruption()
    {
        interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal);
        terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal);

        // Not for a program that nohup has started: it ignores the signal.
        hangUp = PosixSignalRegistration.Create(PosixSignal.SIGHUP, OnHangUp);
    }

    public CancellationToken StopToken => stop.Token;

    public CancellationToken CancellationToken => cancel.Token;

    private void OnSignal(PosixSignalContext context) => context.Cancel = Interrupt() <= 2;

    private void OnHangUp(PosixSignalContext context) => context.Cancel = Interlocked.Increment(ref hangUps) > 1 || Interrupt() <= 2;

    /// <summary>Returns the number of interruptions so far.</summary>
    public int Interrupt()
    {
        var signals = Interlocked.Increment(ref this.signals);
        if (signals == 1)
        {
            stop.Cancel();
        }
        else if (signals == 2)
        {
            cancel.Cancel();
        }

        return signals;
    }

    public void Dispose()
    {
        interrupt.Dispose();
        terminate.Dispose();
        hangUp.Dispose();
        stop.Dispose();
        cancel.Dispose();
    }
}

/// <summary>The numbers of the standard input, output and error. One that is closed would be that of the next file, which would get the report.</summary>
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

/// <summary>The program's memory has the passphrase and plain content, so a crash must not leave it on a disk, where the system may send it on.</summary>
internal static unsafe class CoreDumps
{
    private const int SetDumpable = 4;
    private const int CoreSizeLimit = 4;

    /// <summary>Leaves no core dump of this process. On Linux other processes of the user cannot read its memory either.</summary>
    public static void Prevent()
    {
        if (OperatingSystem.IsLinux())
        {
            // The limit alone would not do: the system gives dumps to a program (systemd-coredump, apport) whatever the limit is.
            _ = HostLibc.ProcessControl(SetDumpable, 0, 0, 0, 0);
        }
        else if (OperatingSystem.IsMacOS())
        {
            ulong* none = stackalloc ulong[2] { 0, 0 };
            _ = HostLibc.SetRLimit(CoreSizeLimit, none);
        }
    }
}
