namespace Restore.Assessment;

/// <summary>A file with another content than in the version before, as it was there.</summary>
/// <param name="IsReturned">Whether it has a content now that it had in an older version.</param>
internal readonly record struct ChangedFile(
    int Row,
    long OldSizeBytes,
    long OldTimeTicks,
    bool WasCold,
    bool IsReturned,
    ulong OldContent
);
