namespace Restore.Encryption;

/// <summary>
/// What gpg reported in its machine-readable status lines; its other messages depend on language
/// and version.
/// </summary>
internal enum GpgResult : byte
{
    /// <summary>The message was decrypted and its integrity checked.</summary>
    Authentic,

    /// <summary>
    /// The passphrase opened it, and then its data turned out to be damaged, cut or without
    /// protection.
    /// </summary>
    Damaged,

    /// <summary>
    /// The passphrase does not open the message, or the data just after the header is damaged: gpg
    /// cannot tell which.
    /// </summary>
    WrongPassphrase,

    /// <summary>
    /// The data is not an encrypted message, or is a message that this gpg cannot open with any
    /// passphrase.
    /// </summary>
    NotOpened,

    /// <summary>
    /// A private key of the user opened it, or could have: anyone who has the public key could have
    /// made it.
    /// </summary>
    ToKey,
}
