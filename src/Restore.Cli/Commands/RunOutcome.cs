namespace Restore.Cli.Commands;

/// <summary>
/// What a command has to say at its end, kept for the files and the program that learn of it.
/// </summary>
internal sealed class RunOutcome
{
    private readonly StringBuilder text = new();

    public JsonObject? Json { get; private set; }

    public string Text => text.ToString();

    /// <summary>What it did, in a line; null if it said nothing.</summary>
    public string? Summary => Text.Split('\n')[0].Trim() is { Length: > 0 } line ? line : null;

    public void Keep(Func<JsonObject> json, Action<TextWriter> write)
    {
        Json = json();
        using StringWriter written = new() { NewLine = "\n" };
        write(written);
        text.Append(written);
    }
}
