namespace Restore.Browse.Health;

internal sealed record DependentEntry(
    string Path,
    int Newest,
    int Oldest,
    long Bytes,
    long BytesThere,
    bool HasOtherCopies
);
