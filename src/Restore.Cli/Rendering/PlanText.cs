using System.Globalization;

namespace Restore.Cli.Rendering;

/// <summary>A plan as text: the result of a dry run.</summary>
internal static class PlanText
{
    public static void Write(TextWriter output, PlanView plan, TimeProvider clock)
    {
        var where = plan.VerifyOnly ? "" : $" to {Place(plan.Target)}";
        output.WriteLine($"Would {(plan.VerifyOnly ? "verify" : "restore")} {ReportText.Versions(plan.Version, plan.Drill, clock)}{where}");
        output.WriteLine($"  Selected  {Entries(plan.Files, plan.Folders, plan.Symlinks)}, {Units.Bytes(plan.Bytes)}");
        if (plan.Drill is { } drill)
        {
            output.WriteLine($"  Covers    {ReportText.Covered(drill)}");
        }

        if (plan.FilesUnchanged > 0)
        {
            output.WriteLine($"  Right     {Units.Count(plan.FilesUnchanged, "file")} at the target already");
        }

        output.WriteLine($"  To write  {Units.Bytes(plan.BytesToWrite)}");
        if (plan.Extra is { } extra)
        {
            output.WriteLine($"  To remove {Commands.Deletion.Describe(extra)} that the backup does not have");
        }

        WriteFetch(output, plan);
        IssueText.Write(output, plan.Issues, all: true, sound: "nothing is known to be lost");
    }

    /// <summary>The names of the volumes, one on each line.</summary>
    public static void WriteVolumes(TextWriter output, PlanView plan)
    {
        foreach (var volume in plan.Volumes)
        {
            output.WriteLine(SafeText.Escape(volume.Name));
        }
    }

    private static void WriteFetch(TextWriter output, PlanView plan)
    {
        var (volumes, requests) = (Units.Count(plan.Volumes.Count, "volume"), Units.Count(plan.Requests, "request"));
        output.WriteLine($"  From      {SafeText.Escape(plan.Store)}");
        output.WriteLine($"  To fetch  {Units.Bytes(plan.BytesToFetch)} of {volumes} of {Units.Bytes(plan.BytesOfVolumes)}, in {requests}");
        output.WriteLine($"  Time      {Units.Duration(plan.TimeToFetch)} for that at {Units.Rate(plan.BytesPerSecond)}");
        if (plan.Cost is { } cost)
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  Cost      {cost:0.00##} at {plan.PricePerGigabyte} per GB"));
        }
    }

    public static string Entries(long files, long folders, long links) =>
        $"{Units.Count(files, "file")}, {Units.Count(folders, "folder")}, {Units.Count(links, "link")}";

    public static string Place(string? target) => target is null ? "the original places" : SafeText.Escape(target);
}
