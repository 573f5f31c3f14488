namespace Restore;

/// <summary>
/// A snapshot of the progress. The engine reports a few per second, and always the last one.
/// </summary>
/// <param name="Phase">The current phase.</param>
/// <param name="FilesDone">Finished files, right or not.</param>
/// <param name="FilesTotal">Files in the plan, 0 while unknown.</param>
/// <param name="BytesDone">Bytes of content that are in place.</param>
/// <param name="BytesTotal">Bytes of content in the plan.</param>
/// <param name="VolumesDone">Finished volumes (index volumes in the locating phase).</param>
/// <param name="VolumesTotal">Volumes in the plan.</param>
/// <param name="BytesFetched">Bytes that have come from the store so far, including volumes that
/// are not complete yet, and what was fetched to make the plan.</param>
/// <param name="Elapsed">Time since the start of the phase.</param>
public readonly record struct RestoreProgress(
    RestorePhase Phase,
    long FilesDone,
    long FilesTotal,
    long BytesDone,
    long BytesTotal,
    int VolumesDone,
    int VolumesTotal,
    long BytesFetched,
    TimeSpan Elapsed
)
{
    /// <summary>
    /// The value of <see cref="BytesFetched"/> at the end of the phase, according to the plan; 0
    /// while unknown, or if nothing is to be fetched.
    /// </summary>
    public long BytesToFetch { get; init; }

    /// <summary>The value of <see cref="BytesFetched"/> when the phase began.</summary>
    internal long BytesFetchedBefore { get; init; }

    /// <summary>Requests to the store that are not over yet.</summary>
    public int OpenRequests { get; init; }

    /// <summary>
    /// The request that failed last and is repeated; null if bytes have come since.
    /// </summary>
    public StoreRetry? Retry { get; init; }

    /// <summary>
    /// The entry that got data last, by its path in the backup; null outside of the restoring
    /// phase.
    /// </summary>
    public string? CurrentPath { get; init; }

    /// <summary>
    /// How much of the restoring phase is done, from 0 to 1: measured by the bytes to fetch or, if
    /// nothing is to be fetched, by the contents in place. 0 in the phases before it, and 1 in the
    /// phases after it.
    /// </summary>
    public double Fraction =>
        Phase is RestorePhase.ReadingFileList or RestorePhase.ScanningTarget or RestorePhase.LocatingBlocks ? 0
        : Phase is RestorePhase.Finishing or RestorePhase.Flushing or RestorePhase.Done ? 1
        : BytesDone >= BytesTotal ? 1
        : BytesToFetch > BytesFetchedBefore
            ? Math.Min(0.99, (double)(BytesFetched - BytesFetchedBefore) / (BytesToFetch - BytesFetchedBefore))
        : (double)BytesDone / BytesTotal;
}

/// <summary>A request to the store that failed and is repeated.</summary>
/// <param name="Location">The store, without credentials.</param>
/// <param name="Attempt">The number of the next attempt, from 2.</param>
/// <param name="Attempts">The most attempts.</param>
/// <param name="Pause">The wait before the next attempt.</param>
/// <param name="Reason">Why the last attempt failed.</param>
public sealed record StoreRetry(string Location, int Attempt, int Attempts, TimeSpan Pause, string Reason);
