namespace Restore.Cli.Commands;

internal sealed class AffectedCommand(SharedOptions shared) : ICliCommand
{
    private const string Indent = "            ";

    public string Name => "affected";

    public string Summary => "show which files in which versions are lost without some volumes";

    public IReadOnlyList<Operand> Operands =>
        [
            Operand.Storage,
            new Operand("<volume> ...", "names of block volumes, index volumes and file lists, with or without a path"),
        ];

    public IReadOnlyList<OptionGroup> Options => [shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
        [
            "restore affected /mnt/backup duplicati-b<32 digits>.dblock.zip.aes",
            "restore affected /mnt/backup duplicati-20260101T120000Z.dlist.zip.aes --json",
        ];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context) =>
        context.WithBackupAsync(async backup =>
        {
            if (context.Request.Operands.Count == 0)
            {
                throw new UsageException(
                    "Name the volumes: files of the backup whose names have dblock, dindex or dlist"
                );
            }

            var report = await context.ShowAsync(view =>
                backup.FindAffectedAsync(context.Request.Operands, view, context.Environment.StopToken)
            );
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
        output.WriteLine(
            $"Without {Units.Count(report.Volumes.Count, "volume")}, in {Units.Count(report.Versions, "version")}, "
                + $"by lists and index volumes ({Units.Bytes(report.BytesFetched)} fetched in {Units.Duration(report.Elapsed)}):"
        );
        foreach (var volume in report.Volumes)
        {
            output.WriteLine($"  Volume    {SafeText.Escape(volume.Name)}");
            output.WriteLine(
                $"{Indent}{(volume.IsInStore ? "In the store" : "Not in the store")}; "
                    + (
                        report.LostVersions.Any(lost => lost.Version.FileListName == volume.Name)
                            ? "the list of a version"
                        : volume.Entries == 0 ? "no content is known to depend on it alone"
                        : $"{Units.Count(volume.Entries, "entry", "entries")} with {Units.Bytes(volume.Bytes)} of content depend on it"
                    )
            );
            if (volume.HasParity)
            {
                output.WriteLine($"{Indent}Its parity file may repair or rebuild it");
            }
        }

        foreach (var (version, files, bytes, filesOnly, bytesOnly) in report.LostVersions)
        {
            output.WriteLine(
                $"  Version   {Units.Number(version.Index)} of {Units.Time(version.Time, clock)} has no file list without them"
            );
            output.WriteLine(
                $"{Indent}Of its {Units.Count(files, "file")} ({Units.Bytes(bytes)}), {Units.Number(filesOnly)} ({Units.Bytes(bytesOnly)}) "
                    + "are not the same in an adjacent version"
            );
        }

        if (report.LostVersions.Count == 0 || report.Issues.Count > 0)
        {
            IssueText.Write(
                output,
                report.Issues,
                ReportSize.All,
                "no entry loses data: all blocks are in other volumes too, or not needed"
            );
        }

        if (report.Issues.Count + report.LostVersions.Count > 0)
        {
            output.WriteLine("  Back      with a sound copy of each volume, everything");
        }
    }
}
