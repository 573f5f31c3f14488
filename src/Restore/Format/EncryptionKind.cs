namespace Restore.Format;

internal enum EncryptionKind : byte
{
    None,
    Aes,
    Gpg,
}
