namespace Restore.Cli.Rendering;

/// <summary>
/// A line of a terminal that is redrawn in place. The cursor stays at its start: there it is after
/// the terminal became narrower too, and what the terminal shows of a pressed key is overwritten.
/// </summary>
internal sealed class TerminalLine(CliEnvironment environment)
{
    private const string EraseBelow = "\u001b[J";

    private readonly Lock gate = new();
    private bool isDrawn;

    /// <summary>One column less than the terminal has: some wrap a line that is full.</summary>
    public int Width => Math.Max(1, environment.TerminalWidth() - 1);

    public void Draw(string text) => Write(text.Length <= Width ? text : text[..Width], "\r", isDrawnNow: true);

    /// <summary>Writes a line above; the next drawing follows below.</summary>
    public void WriteAbove(string text) => Write(text, environment.Error.NewLine, isDrawnNow: false);

    public void Clear() => Write("", "", isDrawnNow: false);

    private void Write(string text, string end, bool isDrawnNow)
    {
        lock (gate)
        {
            if (isDrawn || text.Length > 0)
            {
                // Windows may have a console that takes no such sequences.
                var (before, after) =
                    !OperatingSystem.IsWindows() ? ("", EraseBelow)
                    : isDrawnNow ? ("", new string(' ', Math.Max(0, Width - text.Length)))
                    : (new string(' ', isDrawn ? Width : 0) + "\r", "");
                environment.Error.Write($"\r{before}{text}{after}{end}");
                isDrawn = isDrawnNow;
            }
        }
    }
}
