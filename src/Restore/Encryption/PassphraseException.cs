namespace Restore.Encryption;

/// <summary>
/// The passphrase is wrong: the check in the header of a volume failed, regardless of the state of
/// its body.
/// </summary>
internal sealed class PassphraseException : Exception
{
    public PassphraseException(string message)
        : base(message) { }
}
