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

    /// <summary>
    /// Keeps one more result. A command can have several, such as a new version and the database of
    /// the backup; their fields form one object.
    /// </summary>
    public void Keep(Func<JsonObject> json, Action<TextWriter> write)
    {
        Json = Json is { } before ? before.With(json()) : json();
        using StringWriter written = new() { NewLine = "\n" };
        write(written);
        text.Append(written);
    }

    /// <summary>Writes the object for a caller that reads the standard output.</summary>
    /// <param name="output">Where to.</param>
    /// <param name="exitCode">The exit code of the whole command; null if it failed after the
    /// results that are kept.</param>
    public void WriteJson(TextWriter output, int? exitCode = null)
    {
        if (Json is null)
        {
            return;
        }

        if (exitCode is { } code && Json.ContainsKey("exitCode"))
        {
            Json.With(Rendering.Json.Outcome(code));
        }

        Rendering.Json.Write(output, Json);
    }
}
