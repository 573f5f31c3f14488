namespace Restore.Encryption;

/// <summary>
/// The ciphers of one backup, created from its options when the first volume of a kind needs one.
/// Safe for concurrent use.
/// </summary>
internal sealed class VolumeCiphers
{
    private readonly CipherOptions options;
    private readonly KeyBudget budget;
    private readonly Lazy<IVolumeCipher> aes;
    private readonly Lazy<IVolumeCipher> gpg;
    private bool isPassphraseRight;

    public VolumeCiphers(CipherOptions options, BufferPool pool)
    {
        this.options = options;
        budget = new KeyBudget(options.MaxKeyIterations);

        // A failure is not cached: each volume throws a fresh exception.
        aes = new Lazy<IVolumeCipher>(
            () => new AesCryptCipher(PassphraseOf(options), budget, options.FormerPassphrases),
            LazyThreadSafetyMode.PublicationOnly
        );
        gpg = new Lazy<IVolumeCipher>(() => CreateGpg(options, pool), LazyThreadSafetyMode.PublicationOnly);
    }

    public bool IsPassphraseRight
    {
        get => Volatile.Read(ref isPassphraseRight);
        set => Volatile.Write(ref isPassphraseRight, value);
    }

    /// <summary>
    /// Whether an encrypted backup may have file lists and index volumes without encryption.
    /// </summary>
    public bool AllowsUnencrypted => options.AllowsUnencrypted;

    /// <summary>
    /// The cipher for a kind of encryption; null if volumes of that kind are not encrypted.
    /// </summary>
    public IVolumeCipher? For(EncryptionKind kind) =>
        kind switch
        {
            EncryptionKind.None => null,
            EncryptionKind.Aes => aes.Value,
            EncryptionKind.Gpg => gpg.Value,
            _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "Not a kind of encryption"),
        };

    public ValueTask<AesCryptSession> OpenAesSessionAsync(
        ReadOnlyMemory<byte> header,
        CancellationToken cancellationToken
    ) =>
        AesCryptSession.OpenAsync(
            header,
            PassphraseOf(options),
            budget,
            cancellationToken,
            others: options.FormerPassphrases
        );

    private static GpgCipher CreateGpg(CipherOptions options, BufferPool pool) =>
        new(
            GpgProgram.Find(options.GpgProgramPath, searchPath: null),
            PassphraseOf(options),
            pool,
            options.AllowsGpgKeys,
            options.Patience
        );

    /// <summary>
    /// Duplicati refuses an empty passphrase, so an empty one counts as not given.
    /// </summary>
    private static string PassphraseOf(CipherOptions options) =>
        !string.IsNullOrEmpty(options.Passphrase)
            ? options.Passphrase
            : throw new RestoreException(
                RestoreErrorCode.PassphraseMissing,
                "The backup is encrypted and no passphrase was given"
            );
}
