namespace Restore.Encryption;

/// <summary>What opens the volumes of a backup, and how much work one volume may cause.</summary>
/// <param name="Passphrase">The passphrase; null or empty if the user gave none, because Duplicati
/// refuses an empty passphrase.</param>
internal sealed record CipherOptions(string? Passphrase)
{
    /// <summary>Rounds that take some seconds at most.</summary>
    public const int DefaultMaxKeyIterations = 5_000_000;

    /// <summary>
    /// Passphrases of the past, for volumes that the current one does not open.
    /// </summary>
    public IReadOnlyList<string> FormerPassphrases { get; init; } = [];

    /// <summary>The most rounds of key derivation that a volume may ask for.</summary>
    public int MaxKeyIterations { get; init; } = DefaultMaxKeyIterations;

    /// <summary>
    /// Whether an encrypted backup may have file lists and index volumes without encryption.
    /// </summary>
    public bool AllowsUnencrypted { get; init; }

    /// <summary>Whether volumes may be encrypted to a public key.</summary>
    public bool AllowsGpgKeys { get; init; }

    /// <summary>The gpg program; null to search for it.</summary>
    public string? GpgProgramPath { get; init; }

    /// <summary>
    /// How long a program that decrypts may make no progress; null for no limit.
    /// </summary>
    public TimeSpan? Patience { get; init; }

    /// <summary>
    /// Hides the passphrases: a record would write them, for example into a log.
    /// </summary>
    public override string ToString() => nameof(CipherOptions);
}
