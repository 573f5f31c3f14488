namespace Restore.Cli.Rendering;

/// <summary>
/// The lines for the error stream: one writer at a time, no control characters, no secrets, and above a progress display while there is one.
/// </summary>
internal sealed class Messages(TextWriter error, SecretScrubber secrets)
{
    private readonly Lock gate = new();
    private Action<string>? display;

    public void WriteLine(string line)
    {
        var safe = SafeText.Escape(secrets.Scrub(line));
        lock (gate)
        {
            if (display is null)
            {
                error.WriteLine(safe);
            }
            else
            {
                display(safe);
            }
        }
    }

    /// <summary>Writes lines through a progress display, which keeps them apart from itself; null to write to the stream again.</summary>
    public void ShowThrough(Action<string>? display)
    {
        lock (gate)
        {
            this.display = display;
        }
    }
}
