namespace Restore.Browse.Restoring;

/// <summary>The target is the folder or the archive that it went to; null for a drill.</summary>
internal sealed record ReportAnswer(
    string? Target,
    long Files,
    long FilesUnchanged,
    long Bytes,
    long BytesWritten,
    long BytesFetched,
    double Seconds,
    IssueSummary Issues,
    bool CanSave,
    bool CanShow
);
