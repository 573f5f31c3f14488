namespace Restore.Encryption;

/// <summary>What a passphrase that is given for the first time must be like.</summary>
internal static class NewPassphrase
{
    public const string HasControlsReason = "has a line break or another control character";

    /// <summary>
    /// Whether a passphrase has a character that no prompt and no page takes: only the file that it
    /// came from would open the backup.
    /// </summary>
    public static bool HasControls(string passphrase) =>
        passphrase.Any(letter => char.IsControl(letter) || letter is '\u2028' or '\u2029');
}
