namespace Restore.Cli.Rendering;

internal static class AssessmentText
{
    public static void Write(
        TextWriter output,
        BackupAssessment found,
        string location,
        TimeProvider clock,
        bool isLong
    )
    {
        foreach (var one in found.Versions)
        {
            var mark = one.Index == found.Recommended ? "  (recommended)" : "";
            output.WriteLine(
                $"{one.Index, 4}  {Units.Time(one.Time, clock)}  {VerdictOf(one), -10}  {Units.Count(one.Files, "file")}{mark}"
            );
            if (isLong || one.Verdict is VersionVerdict.Suspect or VersionVerdict.Incomplete)
            {
                foreach (var reason in one.Reasons)
                {
                    output.WriteLine($"        {SafeText.Escape(reason)}");
                }
            }
        }

        output.WriteLine(SafeText.Escape(found.Advice));
        output.WriteLine(SafeText.Escape(found.Examined));
        if (found.Recommended is { } newest)
        {
            // The newest version itself needs no choice among versions.
            var files = newest == 0 ? "" : " --last-good";
            output.WriteLine(
                files.Length == 0
                    ? "To restore it, into a folder of your choice:"
                    : "To restore each file from its newest good version, into a folder of your choice:"
            );
            output.WriteWhole($"  restore {SafeText.Escape(ShellText.Quoted(location))}{files} --restore-path=FOLDER");
        }
    }

    public static JsonObject JsonOf(BackupAssessment found) =>
        new()
        {
            ["versions"] = Json.Array(
                found.Versions,
                one => new JsonObject
                {
                    ["index"] = one.Index,
                    ["time"] = one.Time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture),
                    ["verdict"] = VerdictOf(one),
                    ["reasons"] = Json.Strings(one.Reasons),
                    ["files"] = one.Files,
                    ["bytes"] = one.Bytes,
                    ["filesChanged"] = one.FilesChanged,
                    ["filesAdded"] = one.FilesAdded,
                    ["filesRemoved"] = one.FilesRemoved,
                    ["filesMoved"] = one.FilesMoved,
                    ["filesSuspect"] = one.FilesSuspect,
                }
            ),
            ["recommended"] = found.Recommended,
            ["advice"] = found.Advice,
            ["filesOnlyNewer"] = found.FilesOnlyNewer,
            ["bytesOnlyNewer"] = found.BytesOnlyNewer,
            ["insideBytes"] = found.InsideBytes,
            ["filesLookedInto"] = found.InsideBytes is null ? null : found.FilesLookedInto,
            ["examined"] = found.Examined,
        };

    public static string VerdictOf(VersionAssessment one) =>
        one.Verdict switch
        {
            VersionVerdict.Good => "good",
            VersionVerdict.Suspect => "suspect",
            VersionVerdict.Incomplete => "incomplete",
            _ => "unknown",
        };
}
