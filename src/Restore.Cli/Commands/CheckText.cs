namespace Restore.Cli.Commands;

internal static class CheckText
{
    public const string ContentsUnread =
        "lists and volumes fit together; contents were not read: 'restore verify --all-versions' reads them";

    /// <summary>
    /// What is said of block volumes without an index volume: by a check, which finds their blocks
    /// anyway, and by a repair before and after it.
    /// </summary>
    public const string NotNeeded =
        "no index volume, and restores read the directory; 'restore repair' makes it if it can";
    public const string ToMake = "no index volume: without --dry-run it is made, if the blocks can be read";
    public const string NotMade = "no index volume, and none could be made; restores read the directory";

    /// <param name="sound">What is said if nothing is wrong.</param>
    /// <param name="withoutIndex">What is said of block volumes without an index volume.</param>
    /// <param name="isRepaired">Whether each block volume should have an index volume now.</param>
    public static int Write(
        CommandContext context,
        CheckReport report,
        string sound,
        string withoutIndex = NotNeeded,
        bool isRepaired = false
    )
    {
        var code =
            isRepaired && report.WithoutIndex.Count > 0 ? ExitCodes.Incomplete : ExitCodes.OfLosses(report.Issues);
        context.Write(
            () => Json.Outcome(code).With(Json.Of(report)),
            output => Write(output, report, context.ReportSize, sound, withoutIndex)
        );
        return code;
    }

    private static void Write(TextWriter output, CheckReport report, ReportSize size, string sound, string withoutIndex)
    {
        output.WriteLine(
            $"Checked {Units.Count(report.Versions, "version")}, {Units.Count(report.IndexVolumes, "index volume")} and "
                + $"{Units.Count(report.BlockVolumes, "block volume")} in {Units.Duration(report.Elapsed)}"
        );
        output.WriteLine(
            $"  Blocks    {Units.Number(report.Blocks)} needed, of these {Units.Number(report.LostBlocks)} in no volume; "
                + $"{Units.Number(report.UnusedBlocks)} that no entry needs ({Units.Bytes(report.UnusedBytes)}); "
                + $"{Units.Count(report.RepeatedBlocks, "further copy", "further copies")}"
        );
        output.WriteLine($"  Fetched   {Units.Bytes(report.BytesFetched)}");
        Volumes(
            output,
            report.IndexVolumesMade,
            $"  Made      {Units.Count(report.IndexVolumesMade.Count, "index volume")}:",
            size
        );
        Volumes(
            output,
            report.BlockVolumesMade,
            $"  Made      {Units.Count(report.BlockVolumesMade.Count, "block volume")}:",
            size
        );
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
