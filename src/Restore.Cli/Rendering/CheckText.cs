using System.Text.Json;
using Restore.Cli.Commands;

namespace Restore.Cli.Rendering;

/// <summary>The report of a check or a repair.</summary>
internal static class CheckText
{
    private const int VolumesShown = 20;

    public static int ExitCode(CheckReport report) => report.WithoutIndex.Count > 0 ? ExitCodes.Incomplete : ExitCodes.OfLosses(report.Issues);

    /// <returns>The exit code.</returns>
    public static int Write(CommandContext context, CheckReport report)
    {
        if (context.Request.Json)
        {
            Json.Write(context.Output, json => Write(json, report));
        }
        else
        {
            Write(context.Output, report, context.Request.Verbose);
        }

        return ExitCode(report);
    }

    private static void Write(TextWriter output, CheckReport report, bool all)
    {
        output.WriteLine($"Checked {Units.Count(report.Versions, "version")}, {Units.Count(report.IndexVolumes, "index volume")} and "
            + $"{Units.Count(report.BlockVolumes, "block volume")} in {Units.Duration(report.Elapsed)}");
        output.WriteLine($"  Blocks    {Units.Number(report.Blocks)} needed, of these {Units.Number(report.LostBlocks)} in no volume; "
            + $"{Units.Number(report.UnusedBlocks)} that no entry needs ({Units.Bytes(report.UnusedBytes)}); "
            + $"{Units.Count(report.RepeatedBlocks, "further copy", "further copies")}");
        output.WriteLine($"  Fetched   {Units.Bytes(report.BytesFetched)}");
        Volumes(output, report.IndexVolumesMade, $"  Made      {Units.Count(report.IndexVolumesMade.Count, "index volume")}:", all);
        var count = Units.Count(report.WithoutIndex.Count, "block volume has", "block volumes have");
        Volumes(output, report.WithoutIndex, $"  No index  {count} no index volume; 'restore repair' makes it if it can:", all);
        IssueText.Write(output, report.Issues, all);
    }

    private static void Volumes(TextWriter output, IReadOnlyList<string> names, string title, bool all)
    {
        if (names.Count > 0)
        {
            output.WriteLine(title);
        }

        foreach (var name in names.Take(all ? names.Count : VolumesShown))
        {
            output.WriteLine($"            {SafeText.Escape(name)}");
        }

        if (!all && names.Count > VolumesShown)
        {
            output.WriteLine($"            and {Units.Number(names.Count - VolumesShown)} more; --verbose and --json have them all");
        }
    }

    private static void Write(Utf8JsonWriter json, CheckReport report)
    {
        Json.Outcome(json, ExitCode(report));
        json.WriteNumber("versions", report.Versions);
        json.WriteNumber("indexVolumes", report.IndexVolumes);
        json.WriteNumber("blockVolumes", report.BlockVolumes);
        json.WriteNumber("blocks", report.Blocks);
        json.WriteNumber("lostBlocks", report.LostBlocks);
        json.WriteNumber("unusedBlocks", report.UnusedBlocks);
        json.WriteNumber("unusedBytes", report.UnusedBytes);
        json.WriteNumber("repeatedBlocks", report.RepeatedBlocks);
        Json.Strings(json, "indexVolumesMade", report.IndexVolumesMade);
        Json.Strings(json, "withoutIndex", report.WithoutIndex);
        json.WriteNumber("bytesFetched", report.BytesFetched);
        Json.Seconds(json, "seconds", report.Elapsed);
        Json.Issues(json, report.Issues);
    }
}
