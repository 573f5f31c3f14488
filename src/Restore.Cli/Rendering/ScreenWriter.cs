namespace Restore.Cli.Rendering;

/// <summary>
/// The standard output or the error stream if it is a terminal that a person reads: it knows its
/// width, breaks lines between words, and shows colours.
/// </summary>
internal sealed class ScreenWriter(Stream stream, Encoding encoding, int bufferSize)
    : StreamWriter(stream, encoding, bufferSize)
{
    private bool isWithinLine;

    public required Func<int> Columns { get; init; }

    public required bool HasColors { get; init; }

    /// <summary>
    /// Lines that are longer than the terminal break between words. What continues a line that was
    /// begun stays as it is.
    /// </summary>
    public override void Write(string? value)
    {
        if (string.IsNullOrEmpty(value))
        {
            return;
        }

        var lines = value.Split('\n');
        foreach (var line in lines.AsSpan(0, lines.Length - 1))
        {
            WriteOne(line.TrimEnd('\r'));
        }

        var rest = lines[^1];
        base.Write(rest);
        var start = rest.LastIndexOf('\r') + 1;
        isWithinLine = Ink.LengthOf(rest[start..]) > 0 || (isWithinLine && start == 0);
    }

    public override void WriteLine(string? value)
    {
        foreach (var line in (value ?? "").Split('\n'))
        {
            WriteOne(line.TrimEnd('\r'));
        }
    }

    private void WriteOne(string line)
    {
        // A line that is drawn in place has a return in it, and fits.
        if (isWithinLine || line.Contains('\r', StringComparison.Ordinal))
        {
            base.WriteLine(line);
            isWithinLine = false;
            return;
        }

        foreach (var part in Ink.Break(line, Columns()))
        {
            base.WriteLine(part);
        }
    }

    public override void WriteLine()
    {
        base.WriteLine();
        isWithinLine = false;
    }

    /// <summary>
    /// Writes lines as they are: a command, a path or JSON with a line break in it could not be
    /// copied.
    /// </summary>
    public void WriteWhole(string lines)
    {
        base.WriteLine(lines);
        isWithinLine = false;
    }

    /// <summary>
    /// Whether the user and the terminal want colours (no-color.org). A console of Windows may not
    /// take the sequences.
    /// </summary>
    public static bool WantsColors(Func<string, string?> variable) =>
        !OperatingSystem.IsWindows()
        && string.IsNullOrEmpty(variable("NO_COLOR"))
        && variable("TERM") is not (null or "" or "dumb");
}
