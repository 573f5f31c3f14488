namespace Restore.Cli.Rendering;

internal static class ReportText
{
    /// <summary>What can be done about losses comes before the losses, which can be many.</summary>
    /// <param name="salvages">Whether what is lost was sought in other versions and in files of
    /// this machine, too; null if it is not known.</param>
    public static void Write(
        TextWriter output,
        RestoreReport report,
        TimeProvider clock,
        ReportSize size,
        bool? salvages = null
    )
    {
        WriteSummary(output, report, clock);
        SourcesText.Write(output, report.Sources, clock, size);
        WriteVolumes(output, report, size);
        WriteWhole(output, report.WholeElsewhere, clock, size);
        if (salvages == true && LosesContent(report) && report.WholeElsewhere.Count == 0)
        {
            output.WriteLine(
                "  Elsewhere nothing: no other version has such a file whole, and no file of this machine has the lost bytes"
            );
        }
        else if (salvages == false && LosesContent(report))
        {
            output.WriteLine(
                "  Elsewhere --salvage-versions looks for what is lost in files of this machine, and names versions that have a file whole"
            );
        }

        // A drill has no target path.
        IssueText.Write(
            output,
            report.VerifyOnly ? [.. report.Issues.Select(issue => issue with { TargetPath = null })] : report.Issues,
            size
        );
    }

    public static void WriteSummary(TextWriter output, RestoreReport report, TimeProvider clock)
    {
        var what = PlanText.Entries(report.FilesRestored, report.FoldersRestored, report.SymlinksRestored);
        var version = Versions(report.Version, report.Drill, clock);
        output.WriteLine(
            report.VerifyOnly
                ? $"Verified {what} of {version}; nothing was written"
                : $"Restored {what} of {version} to {PlanText.Place(report.Target)}"
        );
        var rate = Units.Rate(report.BytesRestored, report.Elapsed);
        output.WriteLine(
            $"  Content   {Units.Bytes(report.BytesRestored)} in {Units.Duration(report.Elapsed)} ({rate})"
        );
        if (!report.VerifyOnly)
        {
            output.WriteLine($"  Written   {Units.Bytes(report.BytesWritten)}");
        }

        if (report.Drill is { } drill)
        {
            output.WriteLine($"  Covered   {Covered(drill)}");
        }

        output.WriteLine(
            $"  Fetched   {Units.Bytes(report.BytesFetched)}, {Units.Count(report.VolumesFetched, "volume")} with data"
        );
        if (report.VolumesReadInPart > 0)
        {
            output.WriteLine(
                $"  In part   {Units.Count(report.VolumesReadInPart, "volume")}, whose blocks were verified one by one"
            );
        }

        if (report.BytesReused > 0 || report.FilesUnchanged > 0)
        {
            output.WriteLine(
                $"  Reused    {Units.Bytes(report.BytesReused)}; {Units.Count(report.FilesUnchanged, "file was", "files were")} right already"
            );
        }
    }

    /// <summary>"version 0 of ...", or the first and the last of several.</summary>
    public static string Versions(BackupVersion version, DrillCoverage? drill, TimeProvider clock) =>
        drill is not { Versions.Count: > 1 }
            ? $"version {version.Index} of {Units.Time(version.Time, clock)}"
            : $"{Units.Number(drill.Versions.Count)} versions of {Units.Time(drill.Versions[^1].Time, clock)} to {Units.Time(drill.Versions[0].Time, clock)}";

    public static string Covered(DrillCoverage drill)
    {
        var share = string.Create(
            CultureInfo.InvariantCulture,
            $"{Math.Floor(drill.BytesShare * 10_000) / 100:0.##} % of the bytes"
        );
        var files = $"{Units.Number(drill.FilesCovered)} of {Units.Count(drill.Files, "file")}";
        var seed = drill.Sample is { } sample
            ? string.Create(CultureInfo.InvariantCulture, $" (seed {sample.Seed})")
            : "";
        return $"{share}, {files}, {Units.Number(drill.VersionsCovered)} of {Units.Count(drill.Versions.Count, "version")}{seed}";
    }

    private static void WriteWhole(
        TextWriter output,
        IReadOnlyList<WholeFile> files,
        TimeProvider clock,
        ReportSize size
    )
    {
        if (files.Count == 0)
        {
            return;
        }

        output.WriteLine(
            $"  Elsewhere {Units.Count(files.Count, "lost file is", "lost files are")} whole in another version:"
        );
        foreach (var file in files.Take(size.Rows()))
        {
            output.WriteLine($"            {SafeText.Escape(file.Path)} ({Versions(file.Version, null, clock)})");
        }

        size.NoteMore(output, files.Count - size.Rows());
    }

    /// <summary>What is known of a volume that would bring back what is lost.</summary>
    public static string StateOf(LostVolume volume) =>
        volume.Code switch
        {
            IssueCode.VolumeFrozen => "in archive storage",
            IssueCode.VolumeTooLarge => "too long for this machine",
            IssueCode.VolumePlaceholder => "empty",
            _ when volume.IsRefused => "may not be read",
            _ => volume.IsInStore ? "damaged" : "missing",
        };

    /// <summary>Whether a later restore could replace damaged files of this one.</summary>
    public static bool ReplacesDamaged(RestoreReport report) =>
        report is { LostVolumes.Count: > 0, VerifyOnly: false }
        && report.Issues.Any(issue => issue.Kind == IssueKind.Damaged);

    /// <summary>Whether data of files is lost, so that it can be sought elsewhere.</summary>
    public static bool LosesContent(RestoreReport report) =>
        report.Issues.Any(issue => issue is { Kind: IssueKind.Damaged or IssueKind.Missing, LostRanges.Count: > 0 });

    private static void WriteVolumes(TextWriter output, RestoreReport report, ReportSize size)
    {
        LostVolume[] refused = [.. report.LostVolumes.Where(volume => volume.IsRefused)];
        LostVolume[] frozen = [.. report.LostVolumes.Where(volume => volume.Code == IssueCode.VolumeFrozen)];
        LostVolume[] large = [.. report.LostVolumes.Where(volume => volume.Code == IssueCode.VolumeTooLarge)];
        LostVolume[] lost = [.. report.LostVolumes.Except(refused).Except(frozen).Except(large)];
        WriteVolumes(
            output,
            $"  Refused   {Units.Count(refused.Length, "volume")} cannot be read: run it again as a user who may read this:",
            refused,
            size
        );
        WriteVolumes(
            output,
            $"  Frozen    {Count(frozen)} in archive storage: thaw this, then run it again:",
            frozen,
            size
        );
        WriteVolumes(
            output,
            $"  Too long  {Count(large)} sound as far as is known, and too long for this machine:",
            large,
            size
        );
        WriteVolumes(
            output,
            $"  Remedy    sound copies of {Units.Count(lost.Length, "volume")} would bring back what is lost:",
            lost,
            size
        );
        if (ReplacesDamaged(report))
        {
            var with = lost.Length == 0 ? "Then" : "With them in place,";
            output.WriteLine($"            {with} the same restore with --overwrite replaces the damaged files");
        }
    }

    private static string Count(LostVolume[] volumes) => Units.Count(volumes.Length, "volume is", "volumes are");

    private static void WriteVolumes(TextWriter output, string title, LostVolume[] volumes, ReportSize size)
    {
        if (volumes.Length == 0)
        {
            return;
        }

        output.WriteLine(title);
        foreach (var volume in volumes.Take(size.Rows()))
        {
            var what =
                $"{StateOf(volume)}, {Units.Count(volume.Entries, "entry", "entries")}, {Units.Bytes(volume.Bytes)}";
            output.WriteLine($"            {SafeText.Escape(volume.Name)} ({what})");
        }

        size.NoteMore(output, volumes.Length - size.Rows());
    }
}
