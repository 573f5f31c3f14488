namespace Restore.Catalog.Locating;

/// <summary>How many volumes are read at the same time: each is in memory as a whole.</summary>
internal static class Parallelism
{
    private const int RemoteReads = 16;
    private const long MaxBytesInFlight = 256 << 20;

    /// <summary>
    /// Index volumes are small, so latency matters for a remote store: at 50 ms a request, 16 at a
    /// time read 1,000 in 3.1 s. Large ones are limited by the memory budget.
    /// </summary>
    public static ParallelOptions OfIndexes(
        IReadOnlyList<Volume> indexes,
        bool isLocal,
        CancellationToken cancellationToken
    ) => Of(indexes, Math.Max(Environment.ProcessorCount, isLocal ? 1 : RemoteReads), cancellationToken);

    public static ParallelOptions Of(IReadOnlyList<Volume> volumes, int most, CancellationToken cancellationToken)
    {
        long largestBytes = volumes.Select(volume => volume.SizeBytes).Append(1).Max();
        return new()
        {
            MaxDegreeOfParallelism = (int)Math.Clamp(MaxBytesInFlight / largestBytes, 1, most),
            CancellationToken = cancellationToken,
        };
    }
}
