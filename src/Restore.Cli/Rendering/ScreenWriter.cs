namespace Restore.Cli.Rendering;

/// <summary>
/// The standard output if it is a terminal that a person reads: it knows its width and shows
/// colours.
/// </summary>
internal sealed class ScreenWriter(Stream stream, Encoding encoding, int bufferSize)
    : StreamWriter(stream, encoding, bufferSize)
{
    public required Func<int> Columns { get; init; }

    public required bool HasColors { get; init; }

    /// <summary>
    /// Whether the user and the terminal want colours (no-color.org). A console of Windows may not
    /// take the sequences.
    /// </summary>
    public static bool WantsColors(Func<string, string?> variable) =>
        !OperatingSystem.IsWindows()
        && string.IsNullOrEmpty(variable("NO_COLOR"))
        && variable("TERM") is not (null or "" or "dumb");
}
