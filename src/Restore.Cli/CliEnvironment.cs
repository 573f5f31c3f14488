namespace Restore.Cli;

/// <summary>
/// Everything the host takes from its process, so that tests can run the whole host in their own
/// process.
/// </summary>
internal sealed record CliEnvironment
{
    public required TextWriter Output { get; init; }

    /// <summary>
    /// Why something that was written to <see cref="Output"/> did not arrive; null if nothing is
    /// lost.
    /// </summary>
    public Func<Exception?> OutputFailure { get; init; } = static () => null;

    /// <summary>
    /// Opens the standard output for bytes. A command uses this or <see cref="Output"/>.
    /// </summary>
    public Func<Stream> OpenOutput { get; init; } = static () => Stream.Null;

    /// <summary>
    /// Gives a token that is cancelled when the reader of the standard output goes away.
    /// </summary>
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

    /// <summary>
    /// Asks for a secret without echo and returns null if none was entered; null if there is no
    /// terminal.
    /// </summary>
    public Func<string, string?>? AskSecret { get; init; }

    /// <summary>Asks for a line and returns it; null if there is no terminal.</summary>
    public Func<string, string?>? Ask { get; init; }
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>
    /// Whether the guide runs the command line: its user answers questions and gives no options.
    /// </summary>
    public bool IsGuide { get; init; }

    /// <summary>
    /// Whether the program has a window of its own, because a double click started it and no shell:
    /// the window goes away with the program.
    /// </summary>
    public bool OwnsWindow { get; init; }

    /// <summary>
    /// Opens the <c>restore.html</c> that the program carries; null if it has none.
    /// </summary>
    public Func<Stream?> OpenRestorer { get; init; } = Restorer.OpenResource;

    /// <summary>The first interruption: end gracefully.</summary>
    public CancellationToken StopToken { get; init; }

    /// <summary>The second interruption: end immediately.</summary>
    public CancellationToken CancellationToken { get; init; }

    public bool IsInterrupted => StopToken.IsCancellationRequested || CancellationToken.IsCancellationRequested;

    /// <summary>
    /// A path with the home folder in place of a tilde, which no shell has replaced after
    /// <c>--name=</c> and in an answer. A folder of that name is <c>./~</c>.
    /// </summary>
    public string FromHome(string path) =>
        (
            path == "~"
            || path.StartsWith("~/", StringComparison.Ordinal)
            || (OperatingSystem.IsWindows() && path.StartsWith(@"~\", StringComparison.Ordinal))
        ) && Variable(OperatingSystem.IsWindows() ? "USERPROFILE" : "HOME") is { Length: > 0 } home
            ? home + path[1..]
            : path;

    private static Encoding Utf16 => new UnicodeEncoding(bigEndian: false, byteOrderMark: false);

    /// <summary>Does not use Console.Out: creating it reads the terminal's description.</summary>
    public static CliEnvironment OfProcess(Interruption interruption)
    {
        var errorIsTerminal = !Console.IsErrorRedirected;
        var hasTerminal = errorIsTerminal && !Console.IsInputRedirected;
        Stream bytes = Console.OpenStandardOutput();
        if (OperatingSystem.IsWindows())
        {
            // The code page of a console lacks most characters. Streams opened from here on write
            // UTF-16 to it, and its code page stays as it is.
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
            Error = OpenError(!errorIsTerminal),
            Input = Console.IsInputRedirected ? new StreamReader(Console.OpenStandardInput()) : TextReader.Null,
            Variable = Environment.GetEnvironmentVariable,
            OutputIsTerminal = !Console.IsOutputRedirected,
            CanDraw = errorIsTerminal && Environment.GetEnvironmentVariable("TERM") != "dumb",
            TerminalWidth = Columns,
            AskSecret = hasTerminal
                ? prompt => TerminalInput.AskSecret(text, Fitted(prompt), () => interruption.Interrupt())
                : null,
            Ask = hasTerminal
                ? prompt => TerminalInput.Ask(text, Fitted(prompt), () => interruption.Interrupt())
                : null,
            OwnsWindow = hasTerminal && ConsoleWindow.IsOwn(),
            StopToken = interruption.StopToken,
            CancellationToken = interruption.CancellationToken,
        };
    }

    private static StreamWriter OpenText(Stream output) => Open(output, Console.IsOutputRedirected);

    private static StreamWriter OpenError(bool redirected)
    {
        var error = Open(new StandardStream(Console.OpenStandardError()), redirected);
        error.AutoFlush = true;
        return error;
    }

    private static StreamWriter Open(Stream stream, bool redirected)
    {
        const int BufferBytes = 1 << 14;
        return redirected
            ? new StreamWriter(stream, EncodingFor(redirected), BufferBytes)
            : new ScreenWriter(stream, EncodingFor(redirected), BufferBytes)
            {
                Columns = Columns,
                HasColors = ScreenWriter.WantsColors(Environment.GetEnvironmentVariable),
            };
    }

    private static string Fitted(string prompt) => string.Join(Environment.NewLine, Ink.Break(prompt, Columns()));

    private static int Columns() => Console.WindowWidth is > 0 and var columns ? columns : 80;

    private static Encoding EncodingFor(bool redirected) =>
        OperatingSystem.IsWindows() && !redirected ? Utf16 : new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
}
