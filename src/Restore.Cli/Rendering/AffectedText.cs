using System.Text.Json;
using Restore.Cli.Commands;

namespace Restore.Cli.Rendering;

/// <summary>What hangs on volumes.</summary>
internal static class AffectedText
{
    private const string Indent = "            ";

    /// <returns>The exit code.</returns>
    public static int Write(CommandContext context, AffectedReport report)
    {
        if (context.Request.Json)
        {
            Json.Write(context.Output, json => Write(json, report));
        }
        else
        {
            Write(context.Output, report, context.Environment.Clock);
        }

        return ExitCode(report);
    }

    private static int ExitCode(AffectedReport report) =>
        report.LostVersions.Count > 0 ? ExitCodes.Incomplete : ExitCodes.OfLosses(report.Issues);

    private static void Write(TextWriter output, AffectedReport report, TimeProvider clock)
    {
        output.WriteLine($"Without {Units.Count(report.Volumes.Count, "volume")}, in {Units.Count(report.Versions, "version")}, "
            + $"by lists and index volumes ({Units.Bytes(report.BytesFetched)} fetched in {Units.Duration(report.Elapsed)}):");
        foreach (var volume in report.Volumes)
        {
            output.WriteLine($"  Volume    {SafeText.Escape(volume.Name)}");
            output.WriteLine($"{Indent}{(volume.IsInStore ? "In the store" : "Not in the store")}; "
                + (volume.Entries == 0 ? "no content is known to hang on it alone"
                    : $"{Units.Count(volume.Entries, "entry", "entries")} with {Units.Bytes(volume.Bytes)} of content hang on it"));
            if (volume.HasParity)
            {
                output.WriteLine($"{Indent}Its parity file may repair it or make it anew");
            }
        }

        foreach (var (version, files, bytes, filesOnly, bytesOnly) in report.LostVersions)
        {
            output.WriteLine($"  Version   {Units.Number(version.Index)} of {Units.Time(version.Time, clock)} has no file list without them");
            output.WriteLine($"{Indent}Of its {Units.Count(files, "file")} ({Units.Bytes(bytes)}), {Units.Number(filesOnly)} ({Units.Bytes(bytesOnly)}) "
                + "are not the same in a version beside it");
        }

        IssueText.Write(output, report.Issues, all: true, "no entry loses data: all blocks are in other volumes too, or not needed");
        if (report.Issues.Count > 0)
        {
            output.WriteLine("  Back      with a sound copy of each volume, everything");
        }
    }

    private static void Write(Utf8JsonWriter json, AffectedReport report)
    {
        Json.Outcome(json, ExitCode(report));
        json.WriteNumber("versions", report.Versions);
        json.WriteStartArray("volumes");
        foreach (var volume in report.Volumes)
        {
            json.WriteStartObject();
            json.WriteString("name", volume.Name);
            json.WriteBoolean("inStore", volume.IsInStore);
            json.WriteBoolean("parity", volume.HasParity);
            json.WriteNumber("entries", volume.Entries);
            json.WriteNumber("bytes", volume.Bytes);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteStartArray("lostVersions");
        foreach (var lost in report.LostVersions)
        {
            json.WriteStartObject();
            Json.VersionFields(json, lost.Version);
            json.WriteNumber("files", lost.Files);
            json.WriteNumber("bytes", lost.Bytes);
            json.WriteNumber("filesOnlyThere", lost.FilesOnlyThere);
            json.WriteNumber("bytesOnlyThere", lost.BytesOnlyThere);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteNumber("bytesFetched", report.BytesFetched);
        Json.Seconds(json, "seconds", report.Elapsed);
        Json.Issues(json, report.Issues);
    }
}
