namespace Restore.Volumes;

/// <summary>
/// Distinguishes a wrong passphrase from a damaged volume header: the right passphrase opens
/// another volume.
/// </summary>
internal sealed class PassphraseCheck(VolumeLoader loader, VolumeSet volumes)
{
    // A second and a third volume with a damaged header are unlikely.
    private const int MaxTries = 3;

    /// <summary>
    /// Tries the passphrase on the smallest encrypted volumes, so that a wrong one is reported
    /// early.
    /// </summary>
    /// <param name="fileList">Tried last, unless null: anybody who can write to the store could
    /// plant small volumes of another passphrase.</param>
    /// <exception cref="RestoreException">The passphrase opens none of them.</exception>
    public Task RequireAnyAsync(string? fileList, CancellationToken cancellationToken) =>
        RequireAnyAsync(failed: null, fileList, cancellationToken);

    /// <summary>Tries the passphrase on other volumes than the one on which it failed.</summary>
    /// <exception cref="RestoreException">The passphrase opens none of them.</exception>
    public Task RequireAnyOtherAsync(Volume? failed, CancellationToken cancellationToken) =>
        RequireAnyAsync(failed, fileList: null, cancellationToken);

    /// <summary>Tries the passphrase on the smallest encrypted volumes, until it opens one.</summary>
    /// <param name="fileList">Tried last, unless null.</param>
    /// <exception cref="RestoreException">There is no passphrase, or the store is lost.</exception>
    public Task<PassphraseOutcome> TryAsync(string? fileList, CancellationToken cancellationToken) =>
        TryAsync(failed: null, fileList, cancellationToken);

    private async Task RequireAnyAsync(Volume? failed, string? fileList, CancellationToken cancellationToken)
    {
        if (await TryAsync(failed, fileList, cancellationToken).ConfigureAwait(false) == PassphraseOutcome.Wrong)
        {
            throw new RestoreException(
                RestoreErrorCode.WrongPassphrase,
                "The passphrase is not the one this backup was made with",
                loader.Store.DisplayName
            );
        }
    }

    private async Task<PassphraseOutcome> TryAsync(
        Volume? failed,
        string? fileList,
        CancellationToken cancellationToken
    )
    {
        if (loader.IsPassphraseRight)
        {
            return PassphraseOutcome.Right;
        }

        bool wasTried = failed is not null;
        Volume[] candidates =
        [
            .. volumes
                .All.Where(volume =>
                    volume != failed && volume.Name.Encryption != EncryptionKind.None && volume.SizeBytes > 0
                )
                .OrderBy(volume => volume.SizeBytes),
        ];
        foreach (
            Volume volume in candidates
                .Take(MaxTries)
                .Concat(candidates.Skip(MaxTries).Where(volume => volume.FileName == fileList))
        )
        {
            try
            {
                PooledBuffer fetched = await loader.FetchAsync(volume, cancellationToken).ConfigureAwait(false);
                DecryptedVolume plain = await loader
                    .DecryptAsync(volume, fetched, cancellationToken)
                    .ConfigureAwait(false);
                plain.Buffer.Dispose();
                if (loader.IsPassphraseRight)
                {
                    return PassphraseOutcome.Right;
                }
            }
            catch (PassphraseException)
            {
                wasTried = true;
            }
            catch (Exception failure) when (VolumeLoader.IsLoss(failure))
            {
                continue;
            }
        }

        return wasTried ? PassphraseOutcome.Wrong
            : candidates.Length > 0 ? PassphraseOutcome.Unknown
            : PassphraseOutcome.NotNeeded;
    }
}
