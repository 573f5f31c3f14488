using Microsoft.Extensions.Logging.Abstractions;
using Restore.Volumes.Parity;

namespace Restore.Volumes;

/// <summary>
/// The three steps from a volume in a store to an archive in memory. The flow has a process for
/// each step; callers that need a single small volume use <see cref="LoadAsync"/>.
/// </summary>
internal sealed class VolumeLoader(
    IVolumeStore store,
    VolumeCiphers ciphers,
    Codecs codecs,
    BufferPool pool,
    ILogger? logger = null
)
{
    // The list of 200,000 files.
    private const int MostKeptBytes = 16 << 20;

    // The last file list of a remote store: after a user lists a folder, the user often opens
    // files.
    private KeptList? kept;

    public ILogger Logger { get; } = logger ?? NullLogger.Instance;

    public IVolumeStore Store { get; } = store;

    /// <summary>
    /// Whether what is left of a file list counts although it fails its authentication: anyone can
    /// have changed it.
    /// </summary>
    public bool AllowsUnauthentic { get; init; }

    /// <summary>Repairs volumes that turn out damaged or missing; null for never.</summary>
    public VolumeMender? Mender { get; init; }

    /// <summary>
    /// Copies volumes that cannot be in memory out of stores without ranges; null for never.
    /// </summary>
    public VolumeSpool? Spool { get; init; }

    /// <summary>
    /// Receives each volume that was read whole, as the store has it; null if no caller needs it.
    /// </summary>
    public Action<Volume, ReadOnlyMemory<byte>>? Fetched { get; init; }

    public Codecs Codecs { get; } = codecs;

    public BufferPool Pool { get; } = pool;

    /// <summary>
    /// The directories of volumes from which readers repeatedly want small parts.
    /// </summary>
    public DirectoryCache Directories { get; } = new();

    public VolumeLoader With(IVolumeStore other) =>
        new(other, ciphers, Codecs, Pool, Logger)
        {
            Mender = Mender,
            Spool = Spool,
            Fetched = Fetched,
            AllowsUnauthentic = AllowsUnauthentic,
        };

    public VolumeLoader Seen(Action<Volume, ReadOnlyMemory<byte>> fetched) =>
        new(Store, ciphers, Codecs, Pool, Logger)
        {
            Mender = Mender,
            Spool = Spool,
            Fetched = fetched,
            AllowsUnauthentic = AllowsUnauthentic,
        };

    public static void RequireSize(Volume volume)
    {
        if (!FitsWhole(volume.SizeBytes))
        {
            throw new IOException(
                $"The volume is {volume.SizeBytes:N0} bytes long, and this machine can hold {MostWholeBytes():N0} in memory at once; "
                    + "nothing says that it is damaged"
            ).With(IssueCode.VolumeTooLarge);
        }

        if (volume.SizeBytes <= 0)
        {
            throw volume.IsMissing
                ? new InvalidDataException("The volume is missing")
                : new InvalidDataException("The volume is empty").With(IssueCode.VolumePlaceholder);
        }
    }

    /// <summary>
    /// Whether a volume can be in memory as a whole. One that cannot is read in parts, whatever the
    /// policy is.
    /// </summary>
    public static bool FitsWhole(long sizeBytes)
    {
        // Asking for the memory of the machine takes time.
        const long AlwaysFits = 256 << 20;
        return sizeBytes <= AlwaysFits || sizeBytes <= MostWholeBytes();
    }

    // A volume is one array, and a quarter of the memory stays free for everything else.
    private static long MostWholeBytes() =>
        Math.Min(Array.MaxLength, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 4 * 3);

    /// <summary>
    /// Whether the store refuses access to a volume: nothing says that it is damaged.
    /// </summary>
    public static bool IsRefused(Exception failure) => failure is AccessRefusedException or UnauthorizedAccessException;

    /// <summary>
    /// Whether a failure to read or open a volume loses only that volume; any other failure ends
    /// the restore.
    /// </summary>
    public static bool IsLoss(Exception failure) =>
        failure
            is InvalidDataException
                or IOException
                or UnauthorizedAccessException
                or PassphraseException
                or UnsupportedMethodException;

    public async ValueTask<PooledBuffer> FetchAsync(Volume volume, CancellationToken cancellationToken)
    {
        RequireSize(volume);
        using PooledBuffer buffer = Pool.Rent((int)volume.SizeBytes);
        int read = await Store
            .ReadAsync(volume.FileName, 0, buffer.OwnedMemory, cancellationToken)
            .ConfigureAwait(false);
        buffer.Truncate(read);
        if (read == volume.SizeBytes)
        {
            Fetched?.Invoke(volume, buffer.Memory);
        }

        return buffer.Keep();
    }

    public bool IsPassphraseRight => ciphers.IsPassphraseRight;

    /// <summary>Decrypts a fetched volume; takes over the buffer.</summary>
    public async ValueTask<DecryptedVolume> DecryptAsync(
        Volume volume,
        PooledBuffer buffer,
        CancellationToken cancellationToken
    )
    {
        using PooledBuffer fetched = buffer;
        EncryptionKind kind = VolumeContent.EncryptionOf(fetched.Span) ?? volume.Name.Encryption;
        string? note = kind == volume.Name.Encryption ? null : VolumeContent.Describe(kind);
        if (
            kind == EncryptionKind.None
            && note is not null
            && volume.Name.Kind != VolumeKind.Block
            && !ciphers.AllowsUnencrypted
        )
        {
            throw new InvalidDataException(
                "The file is not encrypted, though its name says so: anyone who can write to the storage could have made it"
            ).With(IssueCode.UnencryptedVolume);
        }

        if (ciphers.For(kind) is not { } cipher)
        {
            return new DecryptedVolume(fetched.Keep(), 0, fetched.Length, Authentic: true, Defect: null)
            {
                Note = note,
            };
        }

        // A file list may stay in memory while another volume is read.
        DecryptedVolume plain =
            volume.Name.Kind == VolumeKind.FileList
                ? await cipher.DecryptAsync(fetched.Keep(), cancellationToken).ConfigureAwait(false)
                : await cipher.DecryptInTurnAsync(fetched.Keep(), cancellationToken).ConfigureAwait(false);
        ciphers.IsPassphraseRight = true;
        return plain with { Note = note };
    }

    public ValueTask<AesCryptSession> OpenSessionAsync(
        ReadOnlyMemory<byte> header,
        CancellationToken cancellationToken
    ) => ciphers.OpenAesSessionAsync(header, cancellationToken);

    /// <summary>
    /// Opens the archive of a decrypted volume; the caller keeps the volume alive.
    /// </summary>
    public Archive OpenArchive(Volume volume, in DecryptedVolume plain) =>
        ArchiveReader.Open(volume.Name.Archive, plain.Memory, Codecs);

    /// <summary>
    /// The same for an archive that may have lost a part; for <see cref="Archive.OpenSalvaged"/>.
    /// </summary>
    public Archive OpenDamaged(Volume volume, in DecryptedVolume plain) =>
        ArchiveReader.Open(volume.Name.Archive, plain.Memory, Codecs, keepsCut: true);

    /// <summary>
    /// Loads what is left of a volume. Bytes that were added to an encrypted volume are left out,
    /// if the volume still has its authentication code.
    /// </summary>
    public async ValueTask<LoadedVolume> LoadDamagedAsync(Volume volume, CancellationToken cancellationToken)
    {
        PooledBuffer fetched = await FetchAsync(volume, cancellationToken).ConfigureAwait(false);
        if (volume.Name.Encryption == EncryptionKind.Aes)
        {
            await LeaveOutAddedAsync(fetched, cancellationToken).ConfigureAwait(false);
        }

        DecryptedVolume plain = await DecryptAsync(volume, fetched, cancellationToken).ConfigureAwait(false);
        using PooledBuffer buffer = plain.Buffer;
        LoadedVolume loaded = new(plain, OpenDamaged(volume, plain));
        buffer.AddUsers();
        return loaded;
    }

    private async ValueTask LeaveOutAddedAsync(PooledBuffer fetched, CancellationToken cancellationToken)
    {
        try
        {
            using AesCryptSession session = await OpenSessionAsync(fetched.Memory, cancellationToken)
                .ConfigureAwait(false);
            if (session.FindLength(fetched.Span) is int length)
            {
                fetched.Truncate(length);
            }
        }
        catch
        {
            fetched.Dispose();
            throw;
        }
    }

    public async ValueTask<LoadedVolume> LoadAsync(Volume volume, CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref kept) is KeptList list && ReferenceEquals(list.Volume, volume))
        {
            return Load(list);
        }

        PooledBuffer fetched = await FetchAsync(volume, cancellationToken).ConfigureAwait(false);
        DecryptedVolume plain = await DecryptAsync(volume, fetched, cancellationToken).ConfigureAwait(false);
        using PooledBuffer buffer = plain.Buffer;
        LoadedVolume loaded = new(plain, OpenArchive(volume, plain));
        buffer.AddUsers();
        if (
            volume.Name.Kind == VolumeKind.FileList
            && !Store.IsLocal
            && plain.Length <= MostKeptBytes
            && loaded.IsIntact
        )
        {
            Volatile.Write(ref kept, new KeptList(volume, plain.Memory.ToArray()));
        }

        return loaded;
    }

    /// <summary>
    /// The manifest of an intact volume; null if the volume is not intact or has none.
    /// </summary>
    public async ValueTask<Manifest?> TryReadManifestAsync(Volume volume, CancellationToken cancellationToken)
    {
        try
        {
            using LoadedVolume loaded = await LoadAsync(volume, cancellationToken).ConfigureAwait(false);
            loaded.RequireIntact();
            return ManifestReading.Find(loaded.Archive);
        }
        catch (Exception failure) when (IsLoss(failure))
        {
            return null;
        }
    }

    private LoadedVolume Load(KeptList list)
    {
        using PooledBuffer buffer = Pool.Rent(list.Bytes.Length);
        list.Bytes.CopyTo(buffer.Span);
        DecryptedVolume plain = new(buffer, 0, list.Bytes.Length, Authentic: true, Defect: null);
        LoadedVolume loaded = new(plain, OpenArchive(list.Volume, plain));
        buffer.AddUsers();
        return loaded;
    }

    private sealed record KeptList(Volume Volume, byte[] Bytes);
}
