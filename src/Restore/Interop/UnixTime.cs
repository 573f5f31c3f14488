namespace Restore.Interop;

/// <summary>
/// A time in the form of Unix kernels (struct timespec of 64-bit systems): whole seconds since
/// 1970, rounded down, and nanoseconds.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly record struct UnixTime(long Seconds, long Nanoseconds)
{
    /// <summary>UTIME_OMIT of Linux: do not change this time.</summary>
    public static UnixTime Omit { get; } = new(0, 0x3FFFFFFE);

    public static UnixTime FromTicks(long ticks)
    {
        long sinceEpoch = ticks - DateTime.UnixEpoch.Ticks;
        long seconds = Math.DivRem(sinceEpoch, TimeSpan.TicksPerSecond, out long rest);

        // The kernel wants nanoseconds from 0 on, so a time before 1970 takes a second more and a
        // positive rest.
        return rest < 0
            ? new(seconds - 1, (rest + TimeSpan.TicksPerSecond) * TimeSpan.NanosecondsPerTick)
            : new(seconds, rest * TimeSpan.NanosecondsPerTick);
    }

    /// <summary>
    /// UTC ticks, rounded down to 100 ns, limited to the range of <see cref="DateTime"/>.
    /// </summary>
    public long ToTicks()
    {
        // A file system can hold any 64-bit number of seconds, damaged or not. Without the limit,
        // the multiplication would overflow.
        long limit = DateTime.MaxValue.Ticks / TimeSpan.TicksPerSecond;
        long seconds = Math.Clamp(Seconds, -limit, limit);
        long ticks =
            DateTime.UnixEpoch.Ticks
            + (seconds * TimeSpan.TicksPerSecond)
            + (Nanoseconds / TimeSpan.NanosecondsPerTick);
        return Math.Clamp(ticks, DateTime.MinValue.Ticks, DateTime.MaxValue.Ticks);
    }
}
