using Restore.Maintenance.Passphrase;

namespace Restore.Maintenance;

/// <content>Changes the passphrase of a backup.</content>
public partial class BackupMaintenance
{
    /// <summary>
    /// Encrypts each volume again with another passphrase. Each volume is written under a new name,
    /// and the old one is deleted after the store lists the new one. If the call is interrupted,
    /// each volume opens with one of the two passphrases, and the next call completes the change.
    /// Open the backup with the former passphrase, and with the new one in
    /// <see cref="BackupOptions.FormerPassphrases"/>.
    /// </summary>
    /// <param name="newPassphrase">The new passphrase.</param>
    /// <param name="isDryRun">Whether to count the volumes and change nothing.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation; what is changed stays
    /// changed.</param>
    /// <returns>What was changed. Damaged volumes keep the former passphrase, and are in the
    /// issues.</returns>
    /// <exception cref="RestoreException">A volume is not a zip volume of AES Crypt, the new
    /// passphrase cannot be used, the former one is wrong, the store cannot be changed, or another
    /// program writes to the backup.</exception>
    public virtual Task<PassphraseChangeReport> ChangePassphraseAsync(
        string newPassphrase,
        bool isDryRun = false,
        IProgress<RestoreProgress>? progress = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(newPassphrase);
        return WithOptionalSinkAsync(
            "ChangePassphrase",
            isDryRun,
            async sink =>
            {
                PassphraseChangeRun run = new(
                    MaintenanceOf(),
                    newPassphrase,
                    Session.Options.FormerPassphrases,
                    Backup.StartMeter(progress),
                    cancellationToken
                );
                PassphraseChangeReport report = await run.RunAsync(sink, BreakLock).ConfigureAwait(false);
                Log.Issues(Session.Logger, report.Issues);
                return report;
            }
        );
    }
}
