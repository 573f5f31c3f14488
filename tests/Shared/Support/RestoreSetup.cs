using Restore.Tests.FixtureTests;

namespace Restore.Tests.Support;

/// <summary>What to restore and how, together: most tests plan and execute with the same.</summary>
internal sealed record RestoreSetup(RestoreOptions What, ExecuteOptions How)
{
    public static implicit operator RestoreSetup(RestoreOptions what) => new(what, new ExecuteOptions());
}

/// <summary>Restores with a setup.</summary>
internal static class RestoreSetups
{
    public static RestoreSetup With(this RestoreOptions what, ExecuteOptions how) => new(what, how);

    public static RestoreSetup Legacy(this RestoreOptions what, bool isLegacy) =>
        new(what, new ExecuteOptions { Legacy = isLegacy });

    public static RestoreSetup By(this RestoreOptions what, Flow flow) => what.Legacy(flow == Flow.Legacy);

    public static Task<RestorePlan> PlanAsync(
        this Backup backup,
        BackupVersion version,
        RestoreSetup setup,
        CancellationToken cancellationToken = default
    ) => backup.PlanAsync(version, setup.What, setup.How, cancellationToken);

    /// <summary>Makes a plan and executes it.</summary>
    public static async Task<RestoreReport> RestoreAsync(
        this Backup backup,
        BackupVersion version,
        RestoreSetup setup,
        CancellationToken cancellationToken = default
    )
    {
        RestorePlan plan = await backup.PlanAsync(version, setup.What, setup.How, cancellationToken);
        return await backup.ExecuteAsync(plan, setup.How, cancellationToken);
    }
}
