namespace Restore.Cli.Commands;

/// <summary>What a plan says about a version that looks as after an attack.</summary>
internal static class PlannedVersion
{
    /// <summary>
    /// A line for a plan that restores a suspect version; null if it does not, or if finding out
    /// would take long.
    /// </summary>
    public static async Task<string?> SuspicionAsync(CommandContext context, Backup backup, PlanView plan)
    {
        if (
            context.Request is { Json: true } or { Run.LastGood: not null } or { Run.ListVolumes: true }
            || plan is { VerifyOnly: true } or { Drill: not null }
            || backup.Versions.Count < 2
            || !OpenLists.IsCheap(context, backup)
        )
        {
            return null;
        }

        var assessment = await OpenLists.AssessAsync(context, backup);
        var found = assessment?.Versions.FirstOrDefault(one => one.Index == plan.Version.Index);
        if (found?.Verdict != VersionVerdict.Suspect)
        {
            return null;
        }

        var how = context.Environment.IsGuide ? $"{WizardVersions.LastGood} as the version" : "--last-good";
        var reason = found.Reasons.Count > 0 ? $": {SafeText.Escape(found.Reasons[0])}" : "";
        return $"version {found.Index} looks as after an attack or an accident{reason}; "
            + $"{how} takes each file from its newest good version";
    }
}
