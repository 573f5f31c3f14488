namespace Restore.Writing;

internal sealed record WriterSettings(BackupWriterOptions Options, BlockLayout Layout, int Concurrency)
{
    private const int MaxBlockSizeBytes = 512 << 20;
    private const int MaxVolumeSizeBytes = 1 << 30;

    /// <summary>Room for the manifest and the headers of a volume, whatever the hashes.</summary>
    private const int VolumeOverheadBytes = 16 << 10;

    private const int DefaultBlockSizeBytes = 1 << 20;
    private const string DefaultHash = "SHA256";

    public string Prefix { get; init; } = Options.Prefix ?? "";

    public HashSet<string> StoredExtensions { get; } = new(Options.StoredExtensions, StringComparer.OrdinalIgnoreCase);

    public int FileReaders => Options.FileReaders ?? Concurrency;

    public int Compressors => Options.Compressors ?? Concurrency;

    public EncryptionKind Encryption => Options.Passphrase is null ? EncryptionKind.None : EncryptionKind.Aes;

    /// <summary>Offset of an archive in its buffer, so that it can be encrypted in place.</summary>
    public int ArchiveOffset => Options.Passphrase is null ? 0 : AesCryptEncryptor.BodyOffset;

    public Codecs Codecs { get; } = new();

    /// <summary>
    /// The size of volumes for a backup that does not say it: the usual size, or the size of its
    /// largest volume if that is greater.
    /// </summary>
    public static int VolumeSizeFor(BlockLayout layout, long largestBytes)
    {
        const long UsualBytes = 50 << 20;
        return (int)
            Math.Clamp(
                Math.Max(largestBytes, UsualBytes),
                Math.Min(MaxVolumeSizeBytes, (2L * layout.BlockSizeBytes) + VolumeOverheadBytes),
                MaxVolumeSizeBytes
            );
    }

    /// <param name="existing">Block size and hashes of the backup to add to; null if it is a new
    /// one, or not known yet.</param>
    /// <exception cref="RestoreException">An option cannot be used.</exception>
    public static WriterSettings Resolve(BackupWriterOptions options, BlockLayout? existing = null)
    {
        int blockSize = options.BlockSizeBytes ?? existing?.BlockSizeBytes ?? DefaultBlockSizeBytes;
        Require(options.Sources.Count > 0, "Nothing was given to back up");
        Require(options.Passphrase is not "", "The passphrase is empty; null writes without encryption");
        Require(
            blockSize is >= Manifest.MinBlockSizeBytes and <= MaxBlockSizeBytes,
            $"The block size {blockSize:N0} cannot be used: it must be from {Manifest.MinBlockSizeBytes:N0} to {MaxBlockSizeBytes:N0} bytes"
        );
        long minVolume = (2L * blockSize) + VolumeOverheadBytes;
        Require(
            (options.VolumeSizeBytes >= minVolume || (options.BlockSizeBytes is null && existing is null))
                && options.VolumeSizeBytes <= MaxVolumeSizeBytes,
            $"The volume size {options.VolumeSizeBytes:N0} cannot be used: "
                + $"with blocks of {blockSize:N0} bytes it must be from {minVolume:N0} to {MaxVolumeSizeBytes:N0} bytes; smaller blocks allow smaller volumes"
        );
        Require(
            options.CompressionLevel is >= 0 and <= 9,
            $"The compression level {options.CompressionLevel} cannot be used: it must be from 0 to 9"
        );
        Require(
            options.Concurrency is null or (>= 1 and <= 256),
            $"The concurrency {options.Concurrency} cannot be used: it must be from 1 to 256"
        );
        Require(
            options.FileReaders is null or (>= 1 and <= 256),
            $"The number of file readers {options.FileReaders} cannot be used: it must be from 1 to 256"
        );
        Require(
            options.Compressors is null or (>= 1 and <= 256),
            $"The number of compressors {options.Compressors} cannot be used: it must be from 1 to 256"
        );
        Require(
            options.Uploads is >= 1 and <= 64,
            $"The number of uploads {options.Uploads} cannot be used: it must be from 1 to 64"
        );
        Require(
            options.Prefix is null
                || (options.Prefix.Length > 0 && options.Prefix.AsSpan().IndexOfAny('-', '/', '\\') < 0),
            $"The prefix \"{options.Prefix}\" cannot be used: it must not be empty nor have -, / or \\ in it"
        );
        BlockLayout layout = new(
            blockSize,
            options.BlockHash is null && existing is { } blocks
                ? blocks.BlockHash
                : Hash(options.BlockHash ?? DefaultHash),
            options.FileHash is null && existing is { } files ? files.FileHash : Hash(options.FileHash ?? DefaultHash)
        );
        return new WriterSettings(options, layout, options.Concurrency ?? Environment.ProcessorCount);
    }

    private static HashKind Hash(string name)
    {
        Require(
            HashKinds.TryParse(name, out HashKind kind),
            $"The hash \"{name}\" is not known: it must be MD5, SHA1, SHA256, SHA384 or SHA512"
        );
        return kind;
    }

    public static void Require(bool isRight, string what)
    {
        if (!isRight)
        {
            throw new RestoreException(RestoreErrorCode.OptionInvalid, what);
        }
    }
}
