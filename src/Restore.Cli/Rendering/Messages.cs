namespace Restore.Cli.Rendering;

/// <summary>
/// The lines for the error stream: one writer at a time, no control characters, no secrets, and
/// above a progress display while there is one.
/// </summary>
internal sealed class Messages(TextWriter error, KnownSecrets secrets)
{
    private readonly Lock gate = new();
    private Action<string>? display;

    /// <summary>The columns of the terminal; null if the stream is not one.</summary>
    public Func<int>? Columns { get; init; }

    /// <summary>On a terminal, a line breaks between words.</summary>
    public void WriteLine(string line)
    {
        var safe = SafeText.Escape(secrets.Scrub(line));
        lock (gate)
        {
            foreach (var part in Columns is null ? [safe] : Ink.Break(safe, Columns()))
            {
                if (display is null)
                {
                    error.WriteLine(part);
                }
                else
                {
                    display(part);
                }
            }
        }
    }

    /// <summary>
    /// Writes lines through a progress display, which keeps them apart from itself; null to write
    /// to the stream again.
    /// </summary>
    public void ShowThrough(Action<string>? display)
    {
        lock (gate)
        {
            this.display = display;
        }
    }
}
