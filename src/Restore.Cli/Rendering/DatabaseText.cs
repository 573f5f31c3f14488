using System.Text.Json;

namespace Restore.Cli.Rendering;

/// <summary>The report about a new local database.</summary>
internal static class DatabaseText
{
    public static void Write(TextWriter output, DatabaseReport report, bool all)
    {
        output.WriteLine($"Made the database of {Units.Count(report.Versions, "version")}: {SafeText.Escape(report.Path)}");
        output.WriteLine($"  Content   {Units.Count(report.Entries, "entry", "entries")}, {Units.Count(report.Blocks, "block")}, "
            + $"{Units.Count(report.Volumes, "volume")}; {Units.Count(report.UnusedBlocks, "block")} that no entry needs");
        output.WriteLine($"  Written   {Units.Bytes(report.Bytes)} in {Units.Duration(report.Elapsed)}, checked");
        output.WriteLine($"  Fetched   {Units.Bytes(report.BytesFetched)}");
        IssueText.Write(output, report.Issues, all);
    }

    public static void Write(Utf8JsonWriter json, DatabaseReport report)
    {
        json.WriteString("path", report.Path);
        Json.Outcome(json, ExitCodes.OfLosses(report.Issues));
        json.WriteNumber("versions", report.Versions);
        json.WriteNumber("entries", report.Entries);
        json.WriteNumber("blocks", report.Blocks);
        json.WriteNumber("unusedBlocks", report.UnusedBlocks);
        json.WriteNumber("lostBlocks", report.LostBlocks);
        json.WriteNumber("volumes", report.Volumes);
        json.WriteNumber("bytes", report.Bytes);
        json.WriteNumber("bytesFetched", report.BytesFetched);
        Json.Seconds(json, "seconds", report.Elapsed);
        json.WriteStartObject("secondsOfPhases");
        foreach (var phase in report.Phases)
        {
            Json.Seconds(json, JsonNamingPolicy.CamelCase.ConvertName($"{phase.Phase}"), phase.Elapsed);
        }

        json.WriteEndObject();
        Json.Issues(json, report.Issues);
    }
}
