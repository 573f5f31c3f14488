namespace Restore.Cli.Mount;

/// <summary>A version in the mount.</summary>
/// <param name="Number">Its number, which stays the same as long as the mount lives.</param>
/// <param name="Name">The name of its folder.</param>
/// <param name="Version">Where it is in the backup.</param>
/// <param name="Backup">The backup that has it.</param>
internal sealed record MountedVersion(uint Number, string Name, BackupVersion Version, OpenBackup Backup);
