namespace Restore.Cli.Commands;

/// <summary>Something of the machine, and what a restore has of it.</summary>
internal sealed record CheckedPart(string Name, PartState State, string Text)
{
    public string Mark => State.ToString().ToLowerInvariant();

    public JsonObject ToJson() =>
        new()
        {
            ["name"] = Name,
            ["state"] = Mark,
            ["text"] = Text,
        };
}
