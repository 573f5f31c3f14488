using Restore.Web.Index;

namespace Restore.Web.Api;

internal static class Times
{
    /// <summary>The last-modified time; null if the list has none.</summary>
    public static DateTimeOffset? Of(EntryContent? entry) => entry is { TimeTicks: > 0 and long ticks } ? new DateTimeOffset(ticks, TimeSpan.Zero) : null;
}

internal static class Reading
{
    /// <summary>How many lists are read, and how many are still to be read.</summary>
    public static (int Read, int Left) Of(VersionLists lists) => (
        lists.Statuses.Count(status => status.State == ListState.Read),
        lists.Statuses.Count(status => status.State is ListState.Unread or ListState.Reading));
}
