namespace Restore.Assessment;

/// <summary>A file with another content than in the version before, as it was there.</summary>
internal readonly record struct ChangedFile(int Row, long OldSizeBytes, long OldTimeTicks, bool WasCold);
