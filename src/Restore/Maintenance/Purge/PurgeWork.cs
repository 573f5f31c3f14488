namespace Restore.Maintenance.Purge;

/// <summary>What the plan of a purge and its execution have in common.</summary>
internal static class PurgeWork
{
    public const string NoFreeTime = "there is no free second between it and the versions before and after it";

    /// <summary>
    /// The most that the time of a new list differs from the time of the old one.
    /// </summary>
    public static readonly TimeSpan LongestShift = TimeSpan.FromSeconds(16);

    /// <summary>
    /// The issue of a version that still names lost blocks, because its list is not replaced.
    /// </summary>
    public static RestoreIssue Stays(BackupVersion version, string reason) =>
        new(IssueKind.Damaged, version.FileListName, $"It names lost blocks, and stays: {reason}");

    /// <summary>
    /// The times that a new list can have: as in Duplicati the next seconds that no list has, but
    /// none past the next version, so that the order of the versions stays; else the seconds
    /// before.
    /// </summary>
    public static List<DateTimeOffset> FreeTimes(DateTimeOffset time, IReadOnlyCollection<DateTimeOffset> taken)
    {
        DateTimeOffset next = taken.Where(other => other > time).DefaultIfEmpty(DateTimeOffset.MaxValue).Min();
        DateTimeOffset previous = taken.Where(other => other < time).DefaultIfEmpty(DateTimeOffset.MinValue).Max();
        IEnumerable<TimeSpan> shifts = Enumerable
            .Range(1, (int)LongestShift.TotalSeconds)
            .Select(seconds => TimeSpan.FromSeconds(seconds));
        return
        [
            .. shifts
                .TakeWhile(shift => shift < DateTimeOffset.MaxValue - time)
                .Select(shift => time + shift)
                .TakeWhile(later => later < next),
            .. shifts
                .TakeWhile(shift => shift < time - DateTimeOffset.MinValue)
                .Select(shift => time - shift)
                .TakeWhile(earlier => earlier > previous),
        ];
    }
}
