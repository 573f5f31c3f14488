using Restore.Format;
using Restore.Memory;

namespace Restore.Encryption;

/// <summary>The ciphers of one backup, created from its options when the first volume of a kind needs one. Safe for concurrent use.</summary>
internal sealed class VolumeCiphers
{
    private readonly BackupOptions options;
    private readonly KeyBudget budget;
    private readonly Lazy<IVolumeCipher> aes;
    private readonly Lazy<IVolumeCipher> gpg;
    private bool isPassphraseRight;

    public VolumeCiphers(BackupOptions options, BufferPool pool)
    {
        this.options = options;
        budget = new KeyBudget(options.MaxKeyIterations);

        // A failure is not cached: each volume throws a fresh exception.
        aes = new Lazy<IVolumeCipher>(() => new AesCryptCipher(PassphraseOf(options), budget), LazyThreadSafetyMode.PublicationOnly);
        gpg = new Lazy<IVolumeCipher>(() => CreateGpg(options, pool), LazyThreadSafetyMode.PublicationOnly);
    }

    /// <summary>Whether one of them decrypted a volume.</summary>
    public bool IsPassphraseRight
    {
        get => Volatile.Read(ref isPassphraseRight);
        set => Volatile.Write(ref isPassphraseRight, value);
    }

    /// <summary>The cipher for volumes of a kind; null if they are not encrypted.</summary>
    /// <exception cref="RestoreException">No passphrase was given, or there is no gpg program.</exception>
    public IVolumeCipher? For(EncryptionKind kind) => kind switch
    {
        EncryptionKind.None => null,
        EncryptionKind.Aes => aes.Value,
        EncryptionKind.Gpg => gpg.Value,
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "Not a kind of encryption"),
    };

    /// <summary>Opens the header of an AES volume, to decrypt ranges of it.</summary>
    /// <exception cref="InvalidDataException">The header is missing or cut.</exception>
    /// <exception cref="PassphraseException">The passphrase does not open it.</exception>
    /// <exception cref="RestoreException">No passphrase was given.</exception>
    public AesCryptSession OpenAesSession(ReadOnlySpan<byte> header, CancellationToken cancellationToken) =>
        AesCryptSession.Open(header, PassphraseOf(options), budget, cancellationToken);

    private static GpgCipher CreateGpg(BackupOptions options, BufferPool pool) =>
        new(GpgProgram.Find(options.GpgProgramPath, searchPath: null), PassphraseOf(options), pool, options.AllowGpgKeys);

    /// <summary>Duplicati refuses an empty passphrase, so an empty one counts as not given.</summary>
    private static string PassphraseOf(BackupOptions options) => !string.IsNullOrEmpty(options.Passphrase)
        ? options.Passphrase
        : throw new RestoreException(RestoreErrorCode.PassphraseMissing, "The backup is encrypted and no passphrase was given");
}
