namespace Restore;

/// <content>Whether the passphrase is right.</content>
public partial class Backup
{
    /// <summary>
    /// Checks whether <see cref="BackupOptions.Passphrase"/> opens the backup, by the smallest of
    /// its encrypted volumes. Reads no file list, unless that is the only volume that can be read.
    /// </summary>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>True if the passphrase, or one of <see cref="BackupOptions.FormerPassphrases"/>,
    /// opens a volume, and if no volume is encrypted; false if it is wrong or missing.</returns>
    /// <exception cref="RestoreException">The store is lost, or no encrypted volume can be read, so
    /// that the passphrase could not be tried.</exception>
    public virtual async Task<bool> CheckPassphraseAsync(CancellationToken cancellationToken = default)
    {
        try
        {
            return await RestoreTelemetry
                .WatchAsync("CheckPassphrase", _ => TryPassphraseAsync(cancellationToken))
                .ConfigureAwait(false);
        }
        catch (RestoreException failure) when (failure.Code == RestoreErrorCode.PassphraseMissing)
        {
            return false;
        }
    }

    private async Task<bool> TryPassphraseAsync(CancellationToken cancellationToken)
    {
        string? newest = Versions.Count > 0 ? Versions[0].FileListName : null;
        return await new PassphraseCheck(Session.Loader, Session.Volumes)
            .TryAsync(newest, cancellationToken)
            .ConfigureAwait(false) switch
        {
            PassphraseOutcome.Right or PassphraseOutcome.NotNeeded => true,
            PassphraseOutcome.Wrong => false,
            _ => throw new RestoreException(
                RestoreErrorCode.FileListUnusable,
                "No encrypted volume can be read, so the passphrase could not be tried",
                Location
            ),
        };
    }
}
