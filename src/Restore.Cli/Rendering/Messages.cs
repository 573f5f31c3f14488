namespace Restore.Cli.Rendering;

/// <summary>
/// The lines for the error stream: one writer at a time, nothing in them that drives a terminal, no secrets, and above a progress display while there is one.
/// </summary>
internal sealed class Messages(TextWriter error, SecretScrubber secrets)
{
    private readonly Lock _lock = new();
    private Action<string>? _display;

    public void WriteLine(string line)
    {
        var safe = SafeText.Escape(secrets.Scrub(line));
        lock (_lock)
        {
            if (_display is null)
            {
                error.WriteLine(safe);
            }
            else
            {
                _display(safe);
            }
        }
    }

    /// <summary>Sends lines through a progress display, which knows how to keep them apart from itself; null sends them to the stream again.</summary>
    public void ShowThrough(Action<string>? display)
    {
        lock (_lock)
        {
            _display = display;
        }
    }
}
