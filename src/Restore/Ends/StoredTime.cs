namespace Restore.Ends;

/// <summary>
/// Compares a time that was set with the time that the file system returns: each file system stores
/// times of a range of years, and silently takes the nearest of them for other times (ext4 from
/// 1901 to 2446, FAT and exFAT from 1980 to 2107).
/// </summary>
internal static class StoredTime
{
    // FAT stores only even seconds; every other file system stores finer times.
    private const long CoarsestTicks = 2 * TimeSpan.TicksPerSecond;

    /// <summary>Whether a time is stored as exactly as the file system can store it.</summary>
    public static bool IsAsWanted(long wanted, long stored) => Math.Abs(wanted - stored) <= CoarsestTicks;

    /// <param name="what">What the time is: "last-modified time".</param>
    /// <param name="wanted">The time that was set, in UTC ticks.</param>
    /// <param name="stored">The time that the file system returns.</param>
    public static void Check(string what, long wanted, long stored, ref UnappliedMetadata shortfalls)
    {
        if (!IsAsWanted(wanted, stored))
        {
            shortfalls.Add(
                $"The {what} {Text(wanted)} cannot be stored at the target",
                $"it has {Text(stored)} instead"
            );
        }
    }

    private static string Text(long ticks) =>
        new DateTime(ticks, DateTimeKind.Utc).ToString("yyyy-MM-dd HH:mm:ss'Z'", CultureInfo.InvariantCulture);
}
