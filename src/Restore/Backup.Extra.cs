using Restore.Ends;
using Restore.Planning.Scanning;

namespace Restore;

/// <content>What is at the target and not in a plan.</content>
public partial class Backup
{
    /// <summary>
    /// Finds files, links and folders at the target that the plan does not have, in the folders
    /// that the selection maps to: nothing outside of them is extra. Follows no link, looks at
    /// nothing behind a mount point in the target, changes nothing.
    /// </summary>
    /// <param name="plan">A plan with a target folder.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="RestoreException">The plan has no target folder, or that is a whole file
    /// system or has the volumes of the backup in it; or a file stands for the list of a newer
    /// version, which cannot be read.</exception>
    public virtual async Task<ExtraEntries> FindExtraAsync(
        RestorePlan plan,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(plan);
        RequireNewerListsKnown(plan);
        HashSet<string> volumes = new(
            Session.Volumes.All.Select(volume => volume.Name.Name),
            StringComparer.OrdinalIgnoreCase
        );
        return await new OwnThreads()
            .RunAsync(() =>
            {
                using IRestoreTarget target = OpenTargetOf(plan);
                return new ExtraScan(plan, target, volumes).Find(cancellationToken);
            })
            .ConfigureAwait(false);
    }

    /// <summary>
    /// Removes what <see cref="FindExtraAsync"/> found; call it when <see cref="ExecuteAsync"/> has
    /// restored everything. What has changed its kind since then, and folders that are not empty,
    /// stay. Nothing above the target and nothing behind a link is touched.
    /// </summary>
    /// <param name="extra">What to remove.</param>
    /// <param name="cancellationToken">Cancels the operation; what is removed stays
    /// removed.</param>
    /// <returns>What stays: what is mounted there as warnings, what cannot be listed or removed as
    /// refused.</returns>
    public virtual async Task<IReadOnlyList<RestoreIssue>> DeleteExtraAsync(
        ExtraEntries extra,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(extra);
        return await new OwnThreads()
            .RunAsync(() =>
            {
                using IRestoreTarget target = OpenTargetOf(extra.Plan);
                return Delete(extra, target, cancellationToken);
            })
            .ConfigureAwait(false);
    }

    /// <summary>
    /// A newer version may have what the target has and the version does not.
    /// </summary>
    private void RequireNewerListsKnown(RestorePlan plan)
    {
        foreach (
            VolumeDoubt list in Session
                .Volumes.StandIns(kind => kind == VolumeKind.FileList)
                .Where(one => one.Trace.Time is not { } time || time > plan.Version.Time)
        )
        {
            throw new RestoreException(
                RestoreErrorCode.NeedsUnknown,
                $"The backup has a newer version that cannot be read, so nothing is deleted: {list.FileName} {list.What}",
                Session.Volumes.Prefix
            );
        }
    }

    private static List<RestoreIssue> Delete(
        ExtraEntries extra,
        IRestoreTarget target,
        CancellationToken cancellationToken
    )
    {
        List<RestoreIssue> issues = [.. extra.Staying];
        TargetMounts mounts = new(target);
        mounts.RequireKnown();
        Dictionary<string, long> times = TimesAbove(extra, target);
        try
        {
            foreach (string path in extra.Files)
            {
                cancellationToken.ThrowIfCancellationRequested();
                Try(issues, target, path, () => Delete(path, target.DeleteFile));
            }

            foreach (string path in extra.Folders.Reverse())
            {
                cancellationToken.ThrowIfCancellationRequested();
                Try(issues, target, path, () => Delete(path, target.DeleteFolder));
            }
        }
        finally
        {
            foreach ((string folder, long ticks) in times)
            {
                Try(issues, target, folder, () => SetTime(target, folder, ticks));
            }
        }

        return issues;

        // Hours can be between the look and the removal.
        void Delete(string path, Action<string> remove)
        {
            TargetStatus status = target.Inspect(path);
            remove(mounts.IsOther(status) ? throw new IOException(TargetMounts.Reason(status.Kind)) : path);
        }
    }

    /// <summary>
    /// The restored folders from which something goes, with their times: each removal changes the
    /// time of its folder.
    /// </summary>
    private static Dictionary<string, long> TimesAbove(ExtraEntries extra, IRestoreTarget target)
    {
        HashSet<string> going = [.. extra.Folders];
        Dictionary<string, long> times = [];
        foreach (string path in extra.Files.Concat(extra.Folders))
        {
            string folder = path.LastIndexOf('/') is var slash and > 0 ? path[..slash] : "";
            if (
                !going.Contains(folder)
                && !times.ContainsKey(folder)
                && target.TryInspect(folder) is { Kind: TargetKind.Folder } status
            )
            {
                times.Add(folder, status.ModifiedTicks);
            }
        }

        return times;
    }

    private static void SetTime(IRestoreTarget target, string folder, long ticks)
    {
        if (
            target.ApplyMetadata(folder, EntryMetadata.Empty with { LastWriteTicks = ticks }, withPermissions: false)
            is [string shortfall, ..]
        )
        {
            throw new IOException(shortfall);
        }
    }

    private static void Try(List<RestoreIssue> issues, IRestoreTarget target, string path, Action delete)
    {
        try
        {
            delete();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            issues.Add(new RestoreIssue(IssueKind.Refused, target.Display(path), failure.Reason()));
        }
    }

    private static IRestoreTarget OpenTargetOf(RestorePlan plan) =>
        plan is { Target: { } folder, Options.VerifyOnly: false }
            ? FileSystemTarget.Open(folder)
            : throw new RestoreException(
                RestoreErrorCode.TargetRequired,
                "Only a target folder can have extra entries, not the original places"
            );
}
