namespace Restore.Cli.Commands;

/// <summary>
/// The result of a command, kept for the files and the program that receive it.
/// </summary>
internal sealed class RunOutcome
{
    private readonly StringBuilder text = new();

    public JsonObject? Json { get; private set; }

    public string Text => text.ToString();

    /// <summary>The first line of the text; null if that is empty.</summary>
    public string? Summary => Text.Split('\n')[0].Trim() is { Length: > 0 } line ? line : null;

    public void Keep(Func<JsonObject> json, Action<TextWriter> write)
    {
        Json = json();
        using StringWriter written = new() { NewLine = "\n" };
        write(written);
        text.Append(written);
    }
}
