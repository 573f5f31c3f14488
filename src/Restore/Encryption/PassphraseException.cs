namespace Restore.Encryption;

/// <summary>A volume says that the passphrase is not the one it was made with: its header's own check failed, whatever the state of its body.</summary>
internal sealed class PassphraseException : Exception
{
    public PassphraseException(string message)
        : base(message)
    {
    }
}
