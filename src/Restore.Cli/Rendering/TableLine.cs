namespace Restore.Cli.Rendering;

/// <summary>
/// A line of a table. On a terminal its last columns get shorter, and then go, before the line
/// would break.
/// </summary>
internal static class TableLine
{
    /// <param name="environment">The terminal, if there is one.</param>
    /// <param name="start">What the line has in any case.</param>
    /// <param name="end">What it has at its end in any case.</param>
    /// <param name="forms">What can stand between them, the longest first.</param>
    public static string Fit(CliEnvironment environment, string start, string end, params string[] forms)
    {
        var room = environment.OutputIsTerminal
            ? environment.TerminalWidth() - start.Length - end.Length
            : int.MaxValue;
        return start + (Array.Find(forms, form => form.Length <= room) ?? "") + end;
    }
}
