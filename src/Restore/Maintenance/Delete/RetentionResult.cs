namespace Restore.Maintenance.Delete;

/// <summary>What becomes of a version, and why.</summary>
internal readonly record struct RetentionResult(bool IsDeleted, string Reason);
