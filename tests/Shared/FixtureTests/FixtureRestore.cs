namespace Restore.Tests.FixtureTests;

/// <summary>Restores a version of a fixture by the public API, as a user would.</summary>
internal static class FixtureRestore
{
    public static async Task<RestoreReport> RunAsync(
        FixtureBackup fixture,
        int version,
        RestoreSetup options,
        string database = "",
        CancellationToken cancellationToken = default
    ) => await RunAsync(fixture, version, options, fixture.Location, fixture.Options(database), cancellationToken);

    /// <summary>Restores it from a store that has a copy of its volumes.</summary>
    public static async Task<RestoreReport> RunAsync(
        FixtureBackup fixture,
        int version,
        RestoreSetup options,
        string location,
        BackupOptions access,
        CancellationToken cancellationToken
    )
    {
        await using Backup backup = await Backup.OpenAsync(location, access, cancellationToken);
        BackupVersion chosen = backup.GetVersion(version);
        Assert.Equal(fixture.Versions[version].FileListName, chosen.FileListName);
        try
        {
            return await backup.RestoreAsync(chosen, options, cancellationToken);
        }
        finally
        {
            Assert.Equal(0, backup.Pool.OutstandingBuffers);
        }
    }

    /// <summary>Everything with all its metadata, links to places outside included.</summary>
    public static RestoreOptions Whole(string target) =>
        new()
        {
            Target = target,
            RestorePermissions = true,
            AllowRestoreOutsideTargetDirectory = true,
        };
}
