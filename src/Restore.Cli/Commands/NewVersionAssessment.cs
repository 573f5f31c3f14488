namespace Restore.Cli.Commands;

/// <summary>Compares a version that was just made with the versions before it.</summary>
internal static class NewVersionAssessment
{
    // Each is a list to fetch after every backup.
    private const int Versions = 12;

    /// <returns>The assessment of the new version, if it is suspect; else null.</returns>
    public static async Task<VersionAssessment?> OfAsync(
        CommandContext context,
        BackupWriterReport report,
        bool isSkipped,
        Func<CancellationToken, Task<Backup>> open
    )
    {
        if (isSkipped || context.Request.DryRun || report.NothingChanged || report.FileListName is null)
        {
            return null;
        }

        try
        {
            await using var backup = await open(context.Environment.StopToken);
            if (backup.Versions.Count < 2)
            {
                return null;
            }

            var options = new AssessOptions { Newest = Versions };
            var found = (await backup.AssessAsync(options, progress: null, context.Environment.StopToken)).Versions[0];
            if (found.Verdict != VersionVerdict.Suspect || found.Version.FileListName != report.FileListName)
            {
                return null;
            }

            foreach (var reason in found.Reasons)
            {
                context.Messages.WriteLine($"Warning: The new version is suspect: {SafeText.Escape(reason)}");
            }

            return found;
        }
        catch (RestoreException failure)
        {
            context.Messages.WriteLine(
                $"Warning: The new version could not be compared with those before it: {failure.Message}"
            );
            return null;
        }
    }

    /// <summary>
    /// A suspect version outweighs a file that could not be read and a link that was left out:
    /// either is no reason to keep old versions, but the suspicion is.
    /// </summary>
    public static int CodeOf(BackupWriterReport report, VersionAssessment? suspicion)
    {
        var code = ExitCodes.Of(report);
        return suspicion is not null && code is (ExitCodes.Complete or ExitCodes.Incomplete or ExitCodes.LeftOut)
            ? ExitCodes.Suspect
            : code;
    }

    public static JsonObject JsonOf(BackupWriterReport report, VersionAssessment? suspicion) =>
        suspicion is null
            ? []
            : new()
            {
                ["exitCode"] = CodeOf(report, suspicion),
                ["suspect"] = true,
                ["suspectBecause"] = Json.Strings(suspicion.Reasons),
            };
}
