namespace Restore.Maintenance.Delete;

/// <summary>A version, as retention sees it.</summary>
internal readonly record struct RetainedVersion(DateTimeOffset Time, bool IsFull);

/// <summary>
/// Decides which versions to delete, as Duplicati's delete does: named versions, versions before
/// the time to keep, versions that the policy thins out, and then the versions beyond the number to
/// keep.
/// </summary>
internal sealed class RetentionDecision
{
    // Duplicati's tolerance: a scheduled backup that was a little late must not cause the loss of a
    // version that should be kept.
    private const int ToleranceShare = 100;
    private static readonly TimeSpan MaxTolerance = TimeSpan.FromHours(1);

    private readonly IReadOnlyList<RetainedVersion> versions;
    private readonly RetentionRules rules;
    private readonly DateTimeOffset now;
    private readonly string?[] deleted;
    private readonly string[] kept;

    private RetentionDecision(IReadOnlyList<RetainedVersion> versions, RetentionRules rules, DateTimeOffset now)
    {
        (this.versions, this.rules, this.now) = (versions, rules, now);
        deleted = new string?[versions.Count];
        kept = new string[versions.Count];
        Array.Fill(kept, "no rule takes it");
    }

    /// <param name="rules">The rules. Version numbers in them are positions in the list.</param>
    public static RetentionResult[] Of(
        IReadOnlyList<RetainedVersion> versions,
        RetentionRules rules,
        DateTimeOffset now
    )
    {
        RetentionDecision decision = new(versions, rules, now);
        decision.Decide();
        return
        [
            .. decision.deleted.Select(
                (reason, i) => new RetentionResult(reason is not null, reason ?? decision.kept[i])
            ),
        ];
    }

    private void Decide()
    {
        foreach (int named in rules.Versions)
        {
            Delete(named, "was named");
        }

        KeepTime();
        KeepByPolicy();
        KeepNewest();
        if (versions.Count > 0 && !rules.AllowsFullRemoval && deleted.All(reason => reason is not null))
        {
            deleted[0] = null;
            kept[0] = "the last version, which goes only if full removal is allowed";
        }
    }

    private void Delete(int version, string reason) => deleted[version] ??= reason;

    private void KeepTime()
    {
        if (rules.KeepSince is not { } since)
        {
            return;
        }

        TimeSpan passed = now > since ? now - since : TimeSpan.Zero;
        TimeSpan share = passed / ToleranceShare;
        DateTimeOffset earliest = rules.IsExact ? since : Before(since, share < MaxTolerance ? share : MaxTolerance);
        bool hasFull = false;
        for (int i = 0; i < versions.Count; i++)
        {
            if (versions[i].Time < earliest && hasFull)
            {
                Delete(i, "older than the time to keep");
            }
            else
            {
                kept[i] = versions[i].Time >= earliest ? "within the time to keep" : "there is no newer full version";
            }

            hasFull |= versions[i].IsFull;
        }
    }

    /// <summary>
    /// The newest version is in no time frame. Each frame has the versions that the shorter ones do
    /// not have.
    /// </summary>
    private void KeepByPolicy()
    {
        if (rules.Policy is not { } policy || versions.Count == 0)
        {
            return;
        }

        kept[0] = "the newest";
        bool newestGoes = rules.AllowsFullRemoval;
        int next = 1;
        foreach (RetentionFrame frame in policy.Frames.OrderBy(frame => frame.Length ?? TimeSpan.MaxValue))
        {
            DateTimeOffset start = frame.Length is { } length ? Before(now, length) : DateTimeOffset.MinValue;
            int end = next;
            while (end < versions.Count && versions[end].Time >= start)
            {
                end++;
            }

            ThinOut(frame, next, end);
            next = end;
            newestGoes &= versions[0].Time < start;
        }

        const string Outside = "older than every time frame";
        for (; next < versions.Count; next++)
        {
            Delete(next, Outside);
        }

        if (newestGoes)
        {
            Delete(0, Outside);
        }
    }

    /// <summary>
    /// Keeps the oldest full version of a frame, and each full version that is at least an interval
    /// later than the last one kept. Partial versions stay.
    /// </summary>
    private void ThinOut(RetentionFrame frame, int first, int end)
    {
        DateTimeOffset? last = null;
        for (int i = end - 1; i >= first; i--)
        {
            bool isApart = last is null || frame.Interval <= TimeSpan.Zero || versions[i].Time - last >= frame.Interval;
            kept[i] = versions[i].IsFull ? $"kept by {frame.Text}" : "partial, which the policy keeps";
            if (isApart && versions[i].IsFull)
            {
                last = versions[i].Time;
            }
            else if (!isApart && versions[i].IsFull)
            {
                Delete(i, $"too close to the version before it for {frame.Text}");
            }
        }
    }

    private void KeepNewest()
    {
        int[] left = [.. Enumerable.Range(0, versions.Count).Where(i => deleted[i] is null)];
        if (rules.KeepVersions is not > 0 || rules.KeepVersions >= left.Length)
        {
            return;
        }

        int full = 0;
        List<int> partial = [];

        // Partial versions that are newer than the newest full one stay, and do not count.
        foreach (int i in left.SkipWhile(i => !versions[i].IsFull))
        {
            if (full >= rules.KeepVersions)
            {
                Delete(i, "enough newer full versions are kept");
            }
            else if (versions[i].IsFull)
            {
                partial.ForEach(between => Delete(between, "partial, between full versions"));
                partial.Clear();
                full++;
                kept[i] = $"full version {full} of {rules.KeepVersions}";
            }
            else
            {
                partial.Add(i);
            }
        }
    }

    private static DateTimeOffset Before(DateTimeOffset time, TimeSpan span) =>
        span < time - DateTimeOffset.MinValue ? time - span : DateTimeOffset.MinValue;
}
