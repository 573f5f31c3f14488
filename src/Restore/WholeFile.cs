namespace Restore;

/// <summary>
/// A file that is lost in one version and whole in another one, perhaps with different content.
/// </summary>
/// <param name="Path">Its original path.</param>
/// <param name="Version">The version nearest in time that has it whole.</param>
public sealed record WholeFile(string Path, BackupVersion Version);
