using System.Globalization;
using System.Text.Json;

namespace Restore.Cli.Rendering;

/// <summary>Differences as lines and as JSON.</summary>
internal static class DifferenceText
{
    public static string Line(EntryDifference difference)
    {
        var sizes = (difference.Older, difference.Newer, difference.Change) switch
        {
            (_, { } newer, EntryChange.Added) => Size(newer),
            ({ } older, _, EntryChange.Removed) => Size(older),
            ({ } older, { } newer, EntryChange.Changed) => $"{Size(older)} -> {Size(newer)}",
            ({ } older, _, _) => Size(older),
            _ => "",
        };
        return string.Create(CultureInfo.InvariantCulture, $"{Letter(difference.Change)} {sizes,-28} {SafeText.Escape(difference.Path)}");
    }

    public static string Line(DifferenceTotals totals) =>
        $"{Units.Number(totals.Added)} added, {Units.Number(totals.Removed)} removed, {Units.Number(totals.Changed)} changed, "
        + $"{Units.Number(totals.Metadata)} with other metadata; {Units.Bytes(totals.BytesNew)} new, {Units.Bytes(totals.BytesOld)} gone";

    public static void Write(Utf8JsonWriter json, EntryDifference difference)
    {
        json.WriteString("path", difference.Path);
        json.WriteString("change", difference.Change.ToString().ToLowerInvariant());
        State(json, "older", difference.Older);
        State(json, "newer", difference.Newer);
    }

    public static void Write(Utf8JsonWriter json, DifferenceTotals totals)
    {
        json.WriteStartObject("totals");
        json.WriteNumber("added", totals.Added);
        json.WriteNumber("removed", totals.Removed);
        json.WriteNumber("changed", totals.Changed);
        json.WriteNumber("metadata", totals.Metadata);
        json.WriteNumber("bytesNew", totals.BytesNew);
        json.WriteNumber("bytesOld", totals.BytesOld);
        json.WriteEndObject();
    }

    /// <summary>The fields of a state.</summary>
    public static void Write(Utf8JsonWriter json, EntryState state)
    {
        json.WriteString("kind", Json.Kind(state.Kind));
        json.WriteNumber("files", state.Files);
        json.WriteNumber("bytes", state.SizeBytes);
        json.WriteString("modified", state.LastModified is { } modified ? Json.Time(modified) : null);
        json.WriteString("hash", state.Hash);
    }

    private static void State(Utf8JsonWriter json, string name, EntryState? state)
    {
        if (state is null)
        {
            json.WriteNull(name);
            return;
        }

        json.WriteStartObject(name);
        Write(json, state);
        json.WriteEndObject();
    }

    private static char Letter(EntryChange change) => change switch
    {
        EntryChange.Added => '+',
        EntryChange.Removed => '-',
        EntryChange.Changed => '*',
        _ => 'm',
    };

    private static string Size(EntryState state) => state.Kind switch
    {
        BackupEntryKind.Folder => "folder",
        BackupEntryKind.Symlink => "link",
        _ => Units.Count(state.SizeBytes, "byte"),
    };
}
