using Restore.Encryption;
using Restore.Format;

namespace Restore.Writing;

/// <content>What a version is not added to.</content>
internal sealed partial class ExistingBackup
{
    private void RequireSameEncryption()
    {
        bool isEncrypted = volumes.Values.Any(volume => volume.Name.Encryption == EncryptionKind.Aes);
        if (isEncrypted && Settings.Options.Passphrase is null)
        {
            throw new RestoreException(
                RestoreErrorCode.PassphraseMissing, "The backup in the destination is encrypted and no passphrase was given", Settings.Options.Destination);
        }

        if (volumes.Count == 0 && Settings.Options is { RefuseUnencrypted: true, Passphrase: null })
        {
            throw new RestoreException(
                RestoreErrorCode.EncryptionUndecided, "There is no backup yet, and a new one was given no passphrase", Settings.Options.Destination);
        }

        if (volumes.Values.Any(volume => volume.Name.Encryption != Settings.Encryption))
        {
            throw OfAnotherKind("its encryption is another than asked for");
        }
    }

    /// <summary>What cannot be read at all could have another passphrase, block size or hash.</summary>
    private void RequireReadable()
    {
        if (refused > 0 && !isOpened)
        {
            throw WrongPassphrase();
        }

        if (!isLayoutKnown && volumes.Values.Any(volume => volume.Name.Kind is VolumeKind.FileList or VolumeKind.Index))
        {
            throw OfAnotherKind("neither its newest file list nor one of its index volumes can be read");
        }
    }

    private RestoreException WrongPassphrase() => new(
        RestoreErrorCode.DestinationPassphraseWrong, "The passphrase does not open the backup that is in the destination", Settings.Options.Destination);

    private RestoreException OfAnotherKind(string what) => new(
        RestoreErrorCode.DestinationIncompatible,
        $"The destination holds a backup that this version cannot be added to: {what}",
        Settings.Options.Destination);
}
