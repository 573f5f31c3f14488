namespace Restore.Cli.Rendering;

internal static class AssessmentText
{
    public static void Write(TextWriter output, BackupAssessment found, TimeProvider clock, bool isLong)
    {
        foreach (var one in found.Versions)
        {
            var mark = one.Index == found.Recommended ? "  (recommended)" : "";
            output.WriteProse(
                $"{one.Index, 4}  {Units.Time(one.Time, clock)}  {VerdictOf(one), -10}  {Units.Count(one.Files, "file")}{mark}"
            );
            if (isLong || one.Verdict is VersionVerdict.Suspect or VersionVerdict.Incomplete)
            {
                foreach (var reason in one.Reasons)
                {
                    output.WriteProse($"        {SafeText.Escape(reason)}");
                }
            }
        }

        output.WriteProse(SafeText.Escape(found.Advice));
        output.WriteProse(SafeText.Escape(found.Examined));
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
