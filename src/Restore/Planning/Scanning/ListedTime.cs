namespace Restore.Planning.Scanning;

/// <summary>
/// The time that a file gets from the file list because its metadata could not be read. The list
/// has whole seconds; one tick (100 ns) on top marks the file, so that the next restore does not
/// take its metadata for right and brings it if it can be read by then.
/// </summary>
internal static class ListedTime
{
    private const long MarkTicks = 1;

    public static long WithoutMetadata(long listedTicks) => WholeSeconds(listedTicks) + MarkTicks;

    public static bool LacksMetadata(long modifiedTicks) => modifiedTicks - WholeSeconds(modifiedTicks) == MarkTicks;

    private static long WholeSeconds(long ticks) => ticks - (ticks % TimeSpan.TicksPerSecond);
}
