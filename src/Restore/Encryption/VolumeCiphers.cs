namespace Restore.Encryption;

/// <summary>The ciphers of one backup, created from its options when the first volume of a kind needs one. Safe for concurrent use.</summary>
internal sealed class VolumeCiphers
{
    private readonly BackupOptions options;
    private readonly KeyBudget budget;
    private readonly Lazy<IVolumeCipher> aes;
    private readonly Lazy<IVolumeCipher> gpg;
    private bool isPassphraseRight;

    /// <param name="patience">How long a program that decrypts may make no progress; null for no limit.</param>
    public VolumeCiphers(BackupOptions options, BufferPool pool, TimeSpan? patience = null)
    {
        this.options = options;
        budget = new KeyBudget(options.MaxKeyIterations);

        // A failure is not cached: each volume throws a fresh exception.
        aes = new Lazy<IVolumeCipher>(() => new AesCryptCipher(PassphraseOf(options), budget, options.FormerPassphrases), LazyThreadSafetyMode.PublicationOnly);
        gpg = new Lazy<IVolumeCipher>(() => CreateGpg(options, pool, patience), LazyThreadSafetyMode.PublicationOnly);
    }

    public bool IsPassphraseRight
    {
        get => Volatile.Read(ref isPassphraseRight);
        set => Volatile.Write(ref isPassphraseRight, value);
    }

    /// <summary>Whether file lists and index volumes are accepted that are not encrypted, in an encrypted backup.</summary>
    public bool AllowsUnencrypted => options.AllowUnencrypted;

    /// <summary>Null if volumes of that kind are not encrypted.</summary>
    public IVolumeCipher? For(EncryptionKind kind) => kind switch
    {
        EncryptionKind.None => null,
        EncryptionKind.Aes => aes.Value,
        EncryptionKind.Gpg => gpg.Value,
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "Not a kind of encryption"),
    };

    public ValueTask<AesCryptSession> OpenAesSessionAsync(ReadOnlyMemory<byte> header, CancellationToken cancellationToken) =>
        AesCryptSession.OpenAsync(header, PassphraseOf(options), budget, cancellationToken, others: options.FormerPassphrases);

    private static GpgCipher CreateGpg(BackupOptions options, BufferPool pool, TimeSpan? patience) =>
        new(GpgProgram.Find(options.GpgProgramPath, searchPath: null), PassphraseOf(options), pool, options.AllowGpgKeys, patience);

    /// <summary>Duplicati refuses an empty passphrase, so an empty one counts as not given.</summary>
    private static string PassphraseOf(BackupOptions options) => !string.IsNullOrEmpty(options.Passphrase)
        ? options.Passphrase
        : throw new RestoreException(RestoreErrorCode.PassphraseMissing, "The backup is encrypted and no passphrase was given");
}

/// <summary>
/// The plain archive inside an encrypted volume.
/// </summary>
/// <param name="Buffer">The buffer that holds it (for AES the buffer of the encrypted volume itself). The holder of this value owns one use of it.</param>
/// <param name="Offset">Where in the buffer the archive starts.</param>
/// <param name="Authentic">
/// False if the authentication of the body failed or its end is missing: use the bytes only where something else verifies them, such as a block's own hash.
/// </param>
/// <param name="Defect">If not authentic: the defect, for the report; else null.</param>
internal readonly record struct DecryptedVolume(PooledBuffer Buffer, int Offset, int Length, bool Authentic, string? Defect)
{
    /// <summary>What is to be said about the volume though it is sound; null for nothing.</summary>
    public string? Note { get; init; }

    public Span<byte> Span => Buffer.Room.Span.Slice(Offset, Length);

    public Memory<byte> Memory => Buffer.Room.Slice(Offset, Length);
}

/// <summary>
/// Decrypts one kind of encrypted volume. Safe for concurrent use.
/// Throws <see cref="PassphraseException"/> if the header of the volume says that the passphrase is wrong, and
/// <see cref="InvalidDataException"/> if the volume has no header of that kind (garbage, too short, a limit exceeded).
/// Damage of the body does not throw: <see cref="DecryptedVolume.Authentic"/> is false.
/// </summary>
internal interface IVolumeCipher
{
    /// <summary>Decrypts the volume in <paramref name="volume"/> and takes over its use; returns the buffer to the pool on an exception.</summary>
    ValueTask<DecryptedVolume> DecryptAsync(PooledBuffer volume, CancellationToken cancellationToken = default);

    /// <summary>
    /// The same, and a plain archive that is much longer than its volume waits until the one before it was given back. Not for callers that keep one while they
    /// ask for the next.
    /// </summary>
    ValueTask<DecryptedVolume> DecryptInTurnAsync(PooledBuffer volume, CancellationToken cancellationToken) => DecryptAsync(volume, cancellationToken);
}

/// <summary>The passphrase is wrong: the check in the header of a volume failed, whatever the state of its body.</summary>
internal sealed class PassphraseException : Exception
{
    public PassphraseException(string message)
        : base(message)
    {
    }
}
