namespace Restore.Browse.Restoring;

internal sealed record ProgressAnswer(
    int Part,
    RestorePhase Phase,
    long FilesDone,
    long FilesTotal,
    long BytesDone,
    long BytesTotal,
    long BytesFetched,
    long BytesToFetch,
    double Fraction,
    int OpenRequests,
    StoreRetry? Retry,
    double Seconds
);
