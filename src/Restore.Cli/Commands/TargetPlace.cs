using Restore.Interop;

namespace Restore.Cli.Commands;

/// <summary>
/// Where entries go: not into the backup, nor around it if the rest is deleted; and to the original
/// places only if the user means it.
/// </summary>
internal static class TargetPlace
{
    /// <param name="location">Where the backup is; other stores than folders of this machine have
    /// no place in common with a target.</param>
    public static void Check(HostRequest request, string location)
    {
        if (request.Restore.Target is not { } target || !Directory.Exists(location))
        {
            return;
        }

        if (Refusal(target, location) is { } reason)
        {
            throw new UsageException($"--restore-path: {reason}");
        }

        if (request.Run.Delete && FolderPath.IsInside(location, target))
        {
            throw new UsageException($"--delete: the backup ({location}) is in {target}, and would be removed");
        }
    }

    /// <summary>
    /// Refuses files of a run in the folder of the backup: one with the name of a volume would take
    /// its place.
    /// </summary>
    public static void CheckFiles(HostRequest request, string location)
    {
        (string Option, string? Path)[] files =
        [
            ("--log-file", request.LogFile),
            ("--report", request.Run.ReportFile),
            ("--metrics", request.Run.MetricsFile),
            (DrillHistory.Option, request.Run.HistoryFile),
            ("--cache-dir", request.Backup.CacheDirectory),
        ];
        foreach (var (option, path) in files)
        {
            if (
                path is not null
                && StorageLocation.FolderOf(location) is { } folder
                && Refusal(path, folder) is { } reason
            )
            {
                throw new UsageException($"{option}: {reason}");
            }
        }
    }

    /// <returns>Why nothing must be restored or written into a folder; null if it may.</returns>
    public static string? Refusal(string target, string location) =>
        Directory.Exists(location) && FolderPath.IsInside(target, location)
            ? $"{target} is in the folder of the backup ({location}); give a place elsewhere"
            : null;

    /// <summary>
    /// The room at a folder or, while it is missing, at the nearest one above; null if the system
    /// does not say.
    /// </summary>
    public static long? FreeBytesAt(string folder)
    {
        try
        {
            var place = folder;
            while (place is not null && !Directory.Exists(place))
            {
                place = Path.GetDirectoryName(place);
            }

            // Some file systems over a network do not know their size, and say 0.
            return place is not null && FolderRoom.At(place) is { TotalBytes: > 0 } room ? room.FreeBytes : null;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }

    /// <summary>
    /// Says before a restore what the report would say after it: that there is not enough room, and
    /// that no file is selected.
    /// </summary>
    public static void Warn(CommandContext context, RestorePlan plan)
    {
        if (context.Request.Quiet)
        {
            return;
        }

        foreach (
            var issue in plan.Issues.Where(issue =>
                issue is { Kind: IssueKind.Warning, Code: IssueCode.TargetTooSmall }
            )
        )
        {
            context.Messages.WriteLine($"Warning: {SafeText.Escape(issue.Path)}: {issue.Reason}");
        }

        if (
            plan is { Files: 0, Symlinks: 0, Folders: > 0 }
            && context.Request.Operands.Count + context.Request.Rules.Count > 0
        )
        {
            var folders = Units.Count(plan.Folders, "folder");
            context.Messages.WriteLine(
                $"Warning: no file is selected, only {folders}; '*/docs/*' takes what is in folders of that name"
            );
        }
    }

    /// <summary>
    /// Names the path arguments that select nothing. One alone is an error, and thousands of them
    /// come from a program. Each is compared with up to all entries, which must not take longer
    /// than making the plan.
    /// </summary>
    public static void WarnOfPaths(CommandContext context, RestorePlan plan)
    {
        const int MostPaths = 1000;
        const long MostLooks = 10_000_000;
        var operands = context.Request.Operands;
        if (
            context.Request.Quiet
            || operands.Count is < 2 or > MostPaths
            || operands.Count * (plan.Files + plan.Folders + plan.Symlinks) > MostLooks
        )
        {
            return;
        }

        foreach (var operand in operands.Where(operand => !plan.Selects(FilterOptions.FilterOf([operand], []))))
        {
            context.Messages.WriteLine(
                $"Warning: '{operand}' selects nothing in version {plan.Version.Index}; {Advice.OtherVersions}"
            );
        }
    }

    /// <summary>
    /// Says which of the filters of what comes first take nothing of the plan: one may be
    /// misspelled.
    /// </summary>
    public static void WarnOfFirst(CommandContext context, RestorePlan plan, IReadOnlyList<EntryFilter> first)
    {
        for (var filter = 0; filter < first.Count && !context.Request.Quiet; filter++)
        {
            if (!plan.Selects(first[filter]))
            {
                context.Messages.WriteLine(
                    $"Warning: --first number {filter + 1} takes nothing of what is selected; 'restore ls' lists the paths"
                );
            }
        }
    }

    /// <summary>
    /// Asks on a terminal. Elsewhere no user can answer, and a missing target means the original
    /// places, as in Duplicati.
    /// </summary>
    public static bool Confirm(CommandContext context, RestorePlan plan)
    {
        var request = context.Request;
        if (
            request.Restore is not { Target: null, VerifyOnly: false }
            || request.Yes
            || context.Environment.Ask is null
        )
        {
            return true;
        }

        var files =
            request.Restore.Keep == KeptAtTarget.All ? "files there that differ stay, and are not restored"
            : request.Restore.Overwrite
                ? $"{Units.Count(plan.FilesReplaced, "file")} there {(plan.FilesReplaced == 1 ? "differs and is" : "differ and are")} replaced"
            : "files there that differ stay, and the restored ones get a name with the date";
        return context.Confirm(
            "Restore to the original places?",
            [
                $"No --restore-path: {PlanText.Entries(plan.Files, plan.Folders, plan.Symlinks)} go to "
                    + $"their original places, below {plan.CommonFolder}; {files}",
            ]
        );
    }
}
