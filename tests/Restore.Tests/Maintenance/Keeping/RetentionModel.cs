using Restore.Maintenance.Delete;

namespace Restore.Tests.Maintenance.Keeping;

/// <summary>
/// Says of each version by itself whether it goes, from the definition of each rule, with no regard
/// for speed.
/// </summary>
internal sealed class RetentionModel(RetainedVersion[] versions, RetentionRules rules, DateTimeOffset now)
{
    public IEnumerable<bool> Deleted()
    {
        HashSet<int> gone = [.. All.Where(i => rules.Versions.Contains(i) || IsTooOld(i) || IsThinnedOut(i))];
        int[] left = [.. All.Where(i => !gone.Contains(i))];
        gone.UnionWith(left.Where(i => IsBeyond(i, left)));
        bool protects = !rules.AllowsFullRemoval && gone.Count == versions.Length;
        return All.Select(i => gone.Contains(i) && !(protects && i == 0));
    }

    private IEnumerable<int> All => Enumerable.Range(0, versions.Length);

    private bool IsTooOld(int i)
    {
        if (rules.KeepSince is not { } since)
        {
            return false;
        }

        double tolerance = rules.IsExact || since > now ? 0 : Math.Min(3600, (now - since).TotalSeconds / 100);
        return versions[i].Time < since.AddSeconds(-tolerance) && versions.Take(i).Any(newer => newer.IsFull);
    }

    private bool IsThinnedOut(int i)
    {
        if (rules.Policy is null)
        {
            return false;
        }

        RetentionFrame? frame = FrameOf(i);
        return i == 0
            ? frame is null && rules.AllowsFullRemoval
            : frame is null || (versions[i].IsFull && !IsKept(i, frame));
    }

    /// <summary>
    /// The shortest frame that reaches back to a version; of two of one length the one that is
    /// written first.
    /// </summary>
    private RetentionFrame? FrameOf(int i) =>
        rules
            .Policy!.Frames.Where(frame => frame.Length is null || versions[i].Time >= now - frame.Length)
            .MinBy(frame => frame.Length ?? TimeSpan.MaxValue);

    /// <summary>
    /// Whether no older full version of the frame that is kept is less than an interval away.
    /// </summary>
    private bool IsKept(int i, RetentionFrame frame) =>
        All.Where(older => older > i && versions[older].IsFull && FrameOf(older) == frame && IsKept(older, frame))
            .All(older => versions[i].Time - versions[older].Time >= frame.Interval);

    private bool IsBeyond(int i, int[] left)
    {
        int keep = rules.KeepVersions ?? 0;
        int newer = left.Count(other => other < i && versions[other].IsFull);
        bool isBetween = newer > 0 && left.Any(other => other > i && versions[other].IsFull);
        return keep > 0 && keep < left.Length && (newer >= keep || (!versions[i].IsFull && isBetween));
    }
}
