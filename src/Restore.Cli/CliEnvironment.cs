using System.Text;

namespace Restore.Cli;

/// <summary>Everything the host takes from its process, so that tests can run the whole host in their own process.</summary>
internal sealed record CliEnvironment
{
    /// <summary>Results.</summary>
    public required TextWriter Output { get; init; }

    /// <summary>Opens the standard output for bytes. A command uses this or <see cref="Output"/>.</summary>
    public Func<Stream> OpenOutput { get; init; } = static () => Stream.Null;

    /// <summary>Gives a token that is cancelled when the reader of the standard output goes away.</summary>
    public Func<CancellationToken> WatchReader { get; init; } = static () => CancellationToken.None;

    /// <summary>Everything else: progress, notes, errors.</summary>
    public required TextWriter Error { get; init; }

    /// <summary>The input for <c>--passphrase-file=-</c>.</summary>
    public TextReader Input { get; init; } = TextReader.Null;

    /// <summary>Reads an environment variable.</summary>
    public Func<string, string?> Variable { get; init; } = static _ => null;

    /// <summary>Whether progress can be drawn on the error stream.</summary>
    public bool CanDraw { get; init; }

    /// <summary>Asks for a secret without echo and returns null if none was entered; null if there is no terminal.</summary>
    public Func<string, string?>? AskSecret { get; init; }

    /// <summary>Asks for a line and returns it; null if there is no terminal.</summary>
    public Func<string, string?>? Ask { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>The first interruption: end gracefully.</summary>
    public CancellationToken StopToken { get; init; }

    /// <summary>The second interruption: end at once.</summary>
    public CancellationToken CancellationToken { get; init; }

    public bool IsInterrupted => StopToken.IsCancellationRequested || CancellationToken.IsCancellationRequested;

    /// <summary>
    /// Takes the streams and variables of this process. Does not use Console.Out: creating it reads the terminal's description.
    /// </summary>
    public static CliEnvironment OfProcess(Interruption interruption)
    {
        var errorIsTerminal = !Console.IsErrorRedirected;
        var hasTerminal = errorIsTerminal && !Console.IsInputRedirected;
        return new CliEnvironment
        {
            Output = new StreamWriter(Console.OpenStandardOutput(), EncodingFor(Console.IsOutputRedirected), bufferSize: 1 << 14),
            OpenOutput = static () => OperatingSystem.IsWindows() ? Console.OpenStandardOutput() : new OutputPipe(),
            WatchReader = static () => OperatingSystem.IsWindows() ? CancellationToken.None : OutputPipe.WatchReader(),
            Error = new StreamWriter(Console.OpenStandardError(), EncodingFor(!errorIsTerminal)) { AutoFlush = true },
            Input = Console.IsInputRedirected ? new StreamReader(Console.OpenStandardInput()) : TextReader.Null,
            Variable = Environment.GetEnvironmentVariable,
            CanDraw = errorIsTerminal && Environment.GetEnvironmentVariable("TERM") != "dumb",
            AskSecret = hasTerminal ? prompt => TerminalInput.AskSecret(prompt, () => interruption.Interrupt()) : null,
            Ask = hasTerminal ? prompt => TerminalInput.Ask(prompt, () => interruption.Interrupt()) : null,
            StopToken = interruption.StopToken,
            CancellationToken = interruption.CancellationToken,
        };
    }

    private static Encoding EncodingFor(bool redirected) =>
        OperatingSystem.IsWindows() && !redirected ? Console.OutputEncoding : new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
}
