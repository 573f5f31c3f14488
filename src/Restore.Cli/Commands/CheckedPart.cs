namespace Restore.Cli.Commands;

/// <summary>A part of the machine, and whether a restore can use it.</summary>
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
