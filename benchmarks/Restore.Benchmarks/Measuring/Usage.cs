namespace Restore.Benchmarks.Measuring;

/// <summary>The cost of a process, as the kernel counted it.</summary>
/// <param name="ExitCode">The exit code; 128 plus the signal if it was killed.</param>
/// <param name="Wall">From start to end.</param>
/// <param name="User">Processor time in the program.</param>
/// <param name="System">Processor time in the kernel.</param>
/// <param name="PeakBytes">Peak of the resident memory.</param>
/// <param name="BytesRead">Bytes of its read calls, including those from the page cache; -1 if
/// unknown.</param>
/// <param name="BytesWritten">Bytes of its write calls; -1 if unknown.</param>
internal sealed record Usage(
    int ExitCode,
    TimeSpan Wall,
    TimeSpan User,
    TimeSpan System,
    long PeakBytes,
    long BytesRead,
    long BytesWritten
)
{
    /// <summary>Page faults that no device had to answer.</summary>
    public long PageFaults { get; init; }

    /// <summary>Context switches because the process waited.</summary>
    public long Waits { get; init; }

    /// <summary>Context switches because another process had its turn.</summary>
    public long Interruptions { get; init; }
}
