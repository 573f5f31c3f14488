namespace Restore.Volumes;

/// <summary>
/// Recognizes a volume by its first bytes. The end of its name should say what it is, but clouds
/// and users change that.
/// </summary>
internal static class VolumeContent
{
    /// <summary>This many bytes are enough to recognize a volume.</summary>
    public const int StartBytes = 32;

    private const byte NewestAesCrypt = 3;

    /// <summary>
    /// How a volume is encrypted according to its content; null if the content does not show it, so
    /// that the name counts.
    /// </summary>
    public static EncryptionKind? EncryptionOf(ReadOnlySpan<byte> start) =>
        start.Length > 3 && start.StartsWith("AES"u8) && start[3] <= NewestAesCrypt ? EncryptionKind.Aes
        : ArchiveReader.KindOf(start) is not null ? EncryptionKind.None
        : IsOpenPgp(start) ? EncryptionKind.Gpg
        : null;

    /// <summary>The message about a volume with a content that contradicts its name.</summary>
    public static string Describe(EncryptionKind content) =>
        content switch
        {
            EncryptionKind.Aes =>
                "The volume is encrypted by AES Crypt, though its name does not end in .aes; it is read all the same",
            EncryptionKind.Gpg =>
                "The volume is encrypted by GnuPG, though its name does not end in .gpg; it is read all the same",
            _ => "The volume is not encrypted, though its name says so; its blocks count by their hashes",
        };

    /// <summary>
    /// A message that begins with a session key: by a passphrase (version 4 to 6), or by a public
    /// key (version 3).
    /// </summary>
    private static bool IsOpenPgp(ReadOnlySpan<byte> start) =>
        start.StartsWith("-----BEGIN PGP MESSAGE-----"u8)
        || start is [0x8C or 0xC3, _, >= 4 and <= 6, ..]
        || start is [0x84 or 0xC1, _, 3, ..]
        || start is [0x85, _, _, 3, ..];
}
