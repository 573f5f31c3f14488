namespace Restore.Writing;

/// <summary>
/// What the options of a run must have in common with the backup that is in the destination: a
/// version of another kind could not be read together with the others.
/// </summary>
internal static class DestinationRules
{
    /// <exception cref="RestoreException">The backup has another encryption than the options ask
    /// for; or there is no backup yet, and the options do not decide about encryption.</exception>
    public static void RequireSameEncryption(WriterSettings settings, VolumeSet volumes)
    {
        string location = settings.Options.Destination;
        Volume[] there = [.. volumes.All.Where(volume => !volume.IsMissing)];
        if (settings.Options.Passphrase is null && there.Any(volume => volume.Name.Encryption == EncryptionKind.Aes))
        {
            throw new RestoreException(
                RestoreErrorCode.PassphraseMissing,
                "The backup in the destination is encrypted and no passphrase was given",
                location
            );
        }

        if (there.Length == 0 && settings.Options is { RefuseUnencrypted: true, Passphrase: null })
        {
            throw new RestoreException(
                RestoreErrorCode.EncryptionUndecided,
                "There is no backup yet, and a new one was given no passphrase",
                location
            );
        }

        if (there.Length == 0 && settings.Options.Passphrase?.Contains('\uFFFD', StringComparison.Ordinal) == true)
        {
            // Each byte that is not text came as this sign: a file of random bytes would lose half
            // of them, and others would open the backup too.
            throw new RestoreException(
                RestoreErrorCode.PassphraseNotText,
                "There is no backup yet, and the new passphrase is not UTF-8 text",
                location
            );
        }

        if (there.Length == 0 && settings.Options.Passphrase is { } passphrase && NewPassphrase.HasControls(passphrase))
        {
            throw new RestoreException(
                RestoreErrorCode.PassphraseHasControls,
                $"There is no backup yet, and the new passphrase {NewPassphrase.HasControlsReason}",
                location
            );
        }

        if (there.Any(volume => volume.Name.Encryption != settings.Encryption))
        {
            throw Differs("its encryption is another than asked for", location);
        }
    }

    public static RestoreException Differs(BlockLayout layout, string location) =>
        Differs(
            $"it has blocks of {layout.BlockSizeBytes:N0} bytes with the hashes {layout.BlockHash.ManifestName()} and {layout.FileHash.ManifestName()}",
            location
        );

    /// <param name="what">What is different: "it has ...".</param>
    public static RestoreException Differs(string what, string location) =>
        new(
            RestoreErrorCode.DestinationIncompatible,
            $"The destination holds a backup that this version cannot be added to: {what}",
            location
        );
}
