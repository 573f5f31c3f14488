using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Restore.Simulation.Scheduling;

/// <summary>
/// The processor time of the current thread: on a busy machine a step is not longer than on an idle
/// one. Where the system does not tell it, the time that has passed.
/// </summary>
internal static partial class ThreadTime
{
    private const int ThreadClock = 3;
    private const int NanosecondsInTick = 100;

    /// <summary>The time in ticks, from an unknown start.</summary>
    public static long Ticks =>
        OperatingSystem.IsLinux() && ClockTime(ThreadClock, out Time time) == 0
            ? (time.Seconds * TimeSpan.TicksPerSecond) + (time.Nanoseconds / NanosecondsInTick)
            : Stopwatch.GetElapsedTime(0).Ticks;

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int ClockTime(int clock, out Time time);

    [StructLayout(LayoutKind.Sequential)]
    private struct Time
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
