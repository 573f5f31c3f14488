namespace Restore.Benchmarks.Measuring;

/// <summary>What a run took, as the kernel counted it.</summary>
/// <param name="ExitCode">How it ended; 128 and the signal when it was killed.</param>
/// <param name="Wall">From start to end.</param>
/// <param name="User">Processor time in the program.</param>
/// <param name="System">Processor time in the kernel.</param>
/// <param name="PeakBytes">The most memory it had resident.</param>
/// <param name="BytesRead">Bytes that its read calls gave, from the page cache too; -1 when not known.</param>
/// <param name="BytesWritten">Bytes that its write calls took; -1 when not known.</param>
internal sealed record Usage(int ExitCode, TimeSpan Wall, TimeSpan User, TimeSpan System, long PeakBytes, long BytesRead, long BytesWritten);
