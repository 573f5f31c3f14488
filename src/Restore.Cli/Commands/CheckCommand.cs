using System.Text.Json;

namespace Restore.Cli.Commands;

internal sealed class CheckCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<bool> readVolumes = Declare.Flag(
        "--read-volumes", "Also read all block volumes, and verify their bytes by the hashes in index volumes and by their encryption");

    public string Name => "check";

    public string Summary => "check that lists and volumes fit together, without reading blocks";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options => [new("Keeping", [readVolumes]), shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore check /mnt/backup", "restore check /mnt/backup --read-volumes"];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(async backup =>
    {
        var stop = context.Environment.StopToken;
        var reads = context.Line.Value(readVolumes);
        var report = await context.ShowAsync(view => reads ? backup.Maintenance.CheckVolumesAsync(view, stop) : backup.Maintenance.CheckAsync(view, stop));
        return CheckText.Write(context, report, reads ? "lists and volumes fit together, and each volume could be read as a whole" : CheckText.ContentsUnread);
    });
}

internal static class CheckText
{
    public const string ContentsUnread = "lists and volumes fit together; contents were not read: 'restore verify --all-versions' reads them";

    /// <summary>What is said of block volumes without an index volume: by a check, which finds their blocks anyway, and by a repair before and after it.
    /// </summary>
    public const string NotNeeded = "no index volume, and restores read the directory; 'restore repair' makes it if it can";
    public const string ToMake = "no index volume: without --dry-run it is made, if the blocks can be read";
    public const string NotMade = "no index volume, and none could be made; restores read the directory";

    /// <param name="sound">What is said if nothing is wrong.</param>
    /// <param name="withoutIndex">What is said of block volumes without an index volume.</param>
    /// <param name="isRepaired">Whether each block volume should have an index volume now.</param>
    public static int Write(CommandContext context, CheckReport report, string sound, string withoutIndex = NotNeeded, bool isRepaired = false)
    {
        var code = isRepaired && report.WithoutIndex.Count > 0 ? ExitCodes.Incomplete : ExitCodes.OfLosses(report.Issues);
        context.Write(() => Json.Outcome(code).With(Json.Of(report)), output => Write(output, report, context.ReportSize, sound, withoutIndex));
        return code;
    }

    private static void Write(TextWriter output, CheckReport report, ReportSize size, string sound, string withoutIndex)
    {
        output.WriteLine($"Checked {Units.Count(report.Versions, "version")}, {Units.Count(report.IndexVolumes, "index volume")} and "
            + $"{Units.Count(report.BlockVolumes, "block volume")} in {Units.Duration(report.Elapsed)}");
        output.WriteLine($"  Blocks    {Units.Number(report.Blocks)} needed, of these {Units.Number(report.LostBlocks)} in no volume; "
            + $"{Units.Number(report.UnusedBlocks)} that no entry needs ({Units.Bytes(report.UnusedBytes)}); "
            + $"{Units.Count(report.RepeatedBlocks, "further copy", "further copies")}");
        output.WriteLine($"  Fetched   {Units.Bytes(report.BytesFetched)}");
        Volumes(output, report.IndexVolumesMade, $"  Made      {Units.Count(report.IndexVolumesMade.Count, "index volume")}:", size);
        Volumes(output, report.BlockVolumesMade, $"  Made      {Units.Count(report.BlockVolumesMade.Count, "block volume")}:", size);
        var count = Units.Count(report.WithoutIndex.Count, "block volume has", "block volumes have");
        Volumes(output, report.WithoutIndex, $"  No index  {count} {withoutIndex}:", size);
        IssueText.Write(output, report.Issues, size, sound);
    }

    private static void Volumes(TextWriter output, IReadOnlyList<string> names, string title, ReportSize size)
    {
        if (names.Count > 0)
        {
            output.WriteLine(title);
        }

        foreach (var name in names.Take(size.Rows()))
        {
            output.WriteLine($"            {SafeText.Escape(name)}");
        }

        size.NoteMore(output, names.Count - size.Rows());
    }
}

internal sealed class AffectedCommand(SharedOptions shared) : ICliCommand
{
    private const string Indent = "            ";

    public string Name => "affected";

    public string Summary => "show which files in which versions are lost without some volumes";

    public IReadOnlyList<Operand> Operands =>
        [Operand.Storage, new Operand("<volume> ...", "names of block volumes, index volumes and file lists, with or without a path")];

    public IReadOnlyList<OptionGroup> Options => [shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
    [
        "restore affected /mnt/backup duplicati-b<32 digits>.dblock.zip.aes",
        "restore affected /mnt/backup /mnt/backup/duplicati-20260101T120000Z.dlist.zip.aes --json",
    ];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(async backup =>
    {
        if (context.Request.Operands.Count == 0)
        {
            throw new UsageException("Name the volumes: files of the backup whose names have dblock, dindex or dlist");
        }

        var report = await context.ShowAsync(view => backup.FindAffectedAsync(context.Request.Operands, view, context.Environment.StopToken));
        var code = report.LostVersions.Count > 0 ? ExitCodes.Incomplete : ExitCodes.OfLosses(report.Issues);
        context.Write(() => JsonOf(report, code), output => Write(output, report, context.Environment.Clock));
        return code;
    });

    private static JsonObject JsonOf(AffectedReport report, int exitCode)
    {
        var json = Json.Of(report);
        json["lostVersions"] = Json.Array(report.LostVersions, lost => Json.Of(lost).WithVersion());
        return Json.Outcome(exitCode).With(json);
    }

    private static void Write(TextWriter output, AffectedReport report, TimeProvider clock)
    {
        output.WriteLine($"Without {Units.Count(report.Volumes.Count, "volume")}, in {Units.Count(report.Versions, "version")}, "
            + $"by lists and index volumes ({Units.Bytes(report.BytesFetched)} fetched in {Units.Duration(report.Elapsed)}):");
        foreach (var volume in report.Volumes)
        {
            output.WriteLine($"  Volume    {SafeText.Escape(volume.Name)}");
            output.WriteLine($"{Indent}{(volume.IsInStore ? "In the store" : "Not in the store")}; "
                + (report.LostVersions.Any(lost => lost.Version.FileListName == volume.Name) ? "the list of a version"
                    : volume.Entries == 0 ? "no content is known to depend on it alone"
                    : $"{Units.Count(volume.Entries, "entry", "entries")} with {Units.Bytes(volume.Bytes)} of content depend on it"));
            if (volume.HasParity)
            {
                output.WriteLine($"{Indent}Its parity file may repair or rebuild it");
            }
        }

        foreach (var (version, files, bytes, filesOnly, bytesOnly) in report.LostVersions)
        {
            output.WriteLine($"  Version   {Units.Number(version.Index)} of {Units.Time(version.Time, clock)} has no file list without them");
            output.WriteLine($"{Indent}Of its {Units.Count(files, "file")} ({Units.Bytes(bytes)}), {Units.Number(filesOnly)} ({Units.Bytes(bytesOnly)}) "
                + "are not the same in an adjacent version");
        }

        if (report.LostVersions.Count == 0 || report.Issues.Count > 0)
        {
            IssueText.Write(output, report.Issues, ReportSize.All, "no entry loses data: all blocks are in other volumes too, or not needed");
        }

        if (report.Issues.Count + report.LostVersions.Count > 0)
        {
            output.WriteLine("  Back      with a sound copy of each volume, everything");
        }
    }
}
