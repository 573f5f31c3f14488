namespace Restore.Cli.Commands;

/// <summary>Whether file lists can be read at once: here, without a question, and soon.</summary>
internal static class OpenLists
{
    // A disk reads this and a core decodes it before a user gets impatient.
    public const long CheapListBytes = 16 << 20;

    public static long LengthOf(Backup backup, BackupVersion version) =>
        new FileInfo(Path.Join(backup.Location, version.FileListName)).Length;

    /// <summary>Whether the lists are on this machine, and open without a question.</summary>
    public static bool IsOpen(CommandContext context, Backup backup) =>
        Directory.Exists(backup.Location)
        && (
            context.Request.Backup.Passphrase is not null
            || backup.Versions.All(version => version.FileListName.EndsWith(".zip", StringComparison.Ordinal))
        );

    /// <summary>Whether the lists are open, and small.</summary>
    public static bool IsCheap(CommandContext context, Backup backup)
    {
        try
        {
            return IsOpen(context, backup)
                && backup.Versions.Where(backup.HasFileList).Sum(version => LengthOf(backup, version))
                    <= CheapListBytes;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <returns>Null if no list can be read, or only the database is left.</returns>
    public static async Task<BackupAssessment?> AssessAsync(CommandContext context, Backup backup)
    {
        try
        {
            return await backup.AssessAsync(cancellationToken: context.Environment.StopToken);
        }
        catch (RestoreException failure)
            when (failure.Kind == RestoreErrorKind.Failed || failure.Code == RestoreErrorCode.VersionNotFound)
        {
            return null;
        }
    }
}
