namespace Restore.Browse.Restoring;

internal sealed record ReportAnswer(
    long Files,
    long FilesUnchanged,
    long Bytes,
    long BytesWritten,
    long BytesFetched,
    double Seconds,
    IssueSummary Issues,
    bool CanSave
);
