namespace Restore;

/// <content>The plan of one version.</content>
public partial class Backup
{
    /// <summary>
    /// Makes a plan for restoring a version. Reads the file list, scans the target, and reads as
    /// many index volumes as necessary; writes nothing.
    /// </summary>
    /// <param name="version">One of <see cref="Versions"/>.</param>
    /// <param name="options">What and where.</param>
    /// <param name="execution">How to scan and read; a plan does not contain it.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The plan.</returns>
    /// <exception cref="RestoreException">An option cannot be used, nothing is selected, the file
    /// list cannot be read, or the passphrase is wrong.</exception>
    public virtual async Task<RestorePlan> PlanAsync(
        BackupVersion version,
        RestoreOptions options,
        ExecuteOptions? execution = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(version);
        ArgumentNullException.ThrowIfNull(options);
        return await RestoreTelemetry
            .WatchAsync(
                "Plan",
                _ =>
                    MakePlanAsync(
                        options,
                        execution ?? new ExecuteOptions(),
                        builder => builder.BuildAsync(version, cancellationToken),
                        cancellationToken
                    )
            )
            .ConfigureAwait(false);
    }

    /// <inheritdoc cref="PlanAsync(BackupVersion, RestoreOptions, ExecuteOptions?, CancellationToken)"/>
    public virtual Task<RestorePlan> PlanAsync(
        BackupVersion version,
        RestoreOptions options,
        CancellationToken cancellationToken
    ) => PlanAsync(version, options, execution: null, cancellationToken);
}
