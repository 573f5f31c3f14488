namespace Restore.Cli.Rendering;

internal static class PlanText
{
    public static void Write(TextWriter output, PlanView plan, TimeProvider clock, ReportSize size)
    {
        var where = plan.VerifyOnly ? "" : $" to {Place(plan.Target)}";
        output.WriteLine(
            $"Would {(plan.VerifyOnly ? "verify" : "restore")} {ReportText.Versions(plan.Version, plan.Drill, clock)}{where}"
        );
        output.WriteLine($"  Selected  {Entries(plan.Files, plan.Folders, plan.Symlinks)}, {Units.Bytes(plan.Bytes)}");
        if (plan.Drill is { } drill)
        {
            output.WriteLine($"  Covers    {ReportText.Covered(drill)}");
        }

        SourcesText.Write(output, plan.Sources, clock, size);
        if (plan.FilesUnchanged > 0)
        {
            output.WriteLine($"  Right     {Units.Count(plan.FilesUnchanged, "file")} at the target already");
        }

        if (plan is { LeavesOutLinks: true, Symlinks: > 0 })
        {
            output.WriteLine(
                "  Left out  links that point out of the folder; --allow-restore-outside-target-directory creates them"
            );
        }

        output.WriteLine($"  To write  {Units.Bytes(plan.BytesToWrite)}");
        if (plan.Extra is { } extra)
        {
            output.WriteLine($"  To remove {Commands.ExtraDeletion.Describe(extra)} that the backup does not have");
            Commands.ExtraDeletion.WriteNames(output.WriteLine, extra, "            ");
        }

        WriteFetch(output, plan);
        WriteUnread(output, plan, size);
        IssueText.Write(
            output,
            plan.Issues,
            size,
            sound: plan.Volumes.Any(volume => volume.ArchiveTier is not null)
                ? "nothing is known to be lost, once what is in archive storage can be read"
                : "nothing is known to be lost"
        );
        if (plan.Suspicion is { } suspicion)
        {
            output.WriteLine($"  {output.Yellow("Suspect")}   {suspicion}");
        }
    }

    public static void WriteVolumes(TextWriter output, PlanView plan)
    {
        foreach (var name in plan.UnreadVolumes.Concat(plan.Volumes.Select(volume => volume.Name)))
        {
            output.WriteLine(SafeText.Escape(name));
        }
    }

    private static void WriteFetch(TextWriter output, PlanView plan)
    {
        var (volumes, requests) = (Units.Count(plan.Volumes.Count, "volume"), Units.Count(plan.Requests, "request"));
        output.WriteLine($"  From      {SafeText.Escape(plan.Store)}");
        output.WriteLine(
            $"  To fetch  {Units.Bytes(plan.BytesToFetch)} of {volumes} of {Units.Bytes(plan.BytesOfVolumes)}, in {requests}"
        );
        output.WriteLine(
            $"  Time      {Units.Duration(plan.TimeToFetch)} for that at {Units.Rate(plan.BytesPerSecond)}"
        );
        var inAll = plan.BytesFetched > 0 ? $" for {Units.Bytes(plan.BytesInAll)} in all" : "";
        if (plan.BytesFetched > 0)
        {
            output.WriteLine(
                $"  Fetched   {Units.Bytes(plan.BytesFetched)} of lists and index volumes, to make this plan"
            );
        }

        if (plan.Cost is { } cost)
        {
            output.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"  Cost      {cost:0.00##}{inAll} at {plan.PricePerGigabyte} per GiB"
                )
            );
        }
    }

    private static void WriteUnread(TextWriter output, PlanView plan, ReportSize size)
    {
        if (plan.UnreadVolumes.Count == 0)
        {
            return;
        }

        output.WriteLine(
            $"  Unread    {Units.Count(plan.UnreadVolumes.Count, "volume")}; what is lost below may be in them, so make them readable first:"
        );
        foreach (var name in plan.UnreadVolumes.Take(size.Rows()))
        {
            output.WriteLine($"            {SafeText.Escape(name)}");
        }

        size.NoteMore(output, plan.UnreadVolumes.Count - size.Rows());
    }

    public static string Entries(long files, long folders, long links) =>
        $"{Units.Count(files, "file")}, {Units.Count(folders, "folder")}, {Units.Count(links, "link")}";

    public static string Place(string? target) => target is null ? "the original places" : SafeText.Escape(target);
}
