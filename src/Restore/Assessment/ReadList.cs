namespace Restore.Assessment;

/// <summary>How far the list of a version could be read.</summary>
/// <param name="Version">The version.</param>
/// <param name="Defect">Why it is not whole; null if it is.</param>
/// <param name="IsRead">Whether any of it was read.</param>
internal sealed record ReadList(BackupVersion Version, string? Defect, bool IsRead);
