using Microsoft.Extensions.Logging.Abstractions;
using Restore.Compression.Zip;
using Restore.Volumes.Parity;

namespace Restore.Volumes;

/// <summary>
/// The three steps from a volume in a store to an archive in memory. The flow has a process for each step; callers that need a single small volume use <see
/// cref="LoadAsync"/>.
/// </summary>
internal sealed class VolumeLoader(IVolumeStore store, VolumeCiphers ciphers, Codecs codecs, BufferPool pool, ILogger? logger = null)
{
    // The list of 200,000 files.
    private const int MostKeptBytes = 16 << 20;

    // The last file list from afar: who looks into a version lists a folder, and then opens files.
    private KeptList? kept;

    public ILogger Logger { get; } = logger ?? NullLogger.Instance;

    public IVolumeStore Store { get; } = store;

    /// <summary>Whether what is left of a file list counts although it fails its authentication: anyone can have changed it.</summary>
    public bool AllowsUnauthentic { get; init; }

    /// <summary>Repairs volumes that turn out damaged or missing; null for never.</summary>
    public VolumeMender? Mender { get; init; }

    /// <summary>Copies volumes that cannot be in memory out of stores without ranges; null for never.</summary>
    public VolumeSpool? Spool { get; init; }

    /// <summary>Sees each volume that was read whole, as the store has it; null for nobody.</summary>
    public Action<Volume, ReadOnlyMemory<byte>>? Fetched { get; init; }

    public Codecs Codecs { get; } = codecs;

    public BufferPool Pool { get; } = pool;

    /// <summary>The directories of volumes of which readers want small parts again and again.</summary>
    public DirectoryCache Directories { get; } = new();

    public VolumeLoader With(IVolumeStore other) => new(other, ciphers, Codecs, Pool, Logger)
    {
        Mender = Mender,
        Spool = Spool,
        Fetched = Fetched,
        AllowsUnauthentic = AllowsUnauthentic,
    };

    public VolumeLoader Seen(Action<Volume, ReadOnlyMemory<byte>> fetched) => new(Store, ciphers, Codecs, Pool, Logger)
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
                + "nothing says that it is damaged").With(IssueCode.VolumeTooLarge);
        }

        if (volume.SizeBytes <= 0)
        {
            throw volume.IsMissing
                ? new InvalidDataException("The volume is missing")
                : new InvalidDataException("The volume is empty").With(IssueCode.VolumePlaceholder);
        }
    }

    /// <summary>Whether a volume can be in memory as a whole. One that cannot is read in parts, whatever the policy is.</summary>
    public static bool FitsWhole(long sizeBytes)
    {
        // Asking for the memory of the machine takes time.
        const long AlwaysFits = 256 << 20;
        return sizeBytes <= AlwaysFits || sizeBytes <= MostWholeBytes();
    }

    private static long MostWholeBytes() => Math.Min(Array.MaxLength, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 4 * 3);

    /// <summary>Whether the store refuses access to a volume: nothing says that it is damaged.</summary>
    public static bool IsRefused(Exception failure) => failure is AccessRefusedException or UnauthorizedAccessException;

    /// <summary>Whether a failure to read or open a volume loses only that volume; any other failure ends the restore.</summary>
    public static bool IsLoss(Exception failure) =>
        failure is InvalidDataException or IOException or UnauthorizedAccessException or PassphraseException or UnsupportedMethodException;

    public async ValueTask<PooledBuffer> FetchAsync(Volume volume, CancellationToken cancellationToken)
    {
        RequireSize(volume);
        using PooledBuffer buffer = Pool.Rent((int)volume.SizeBytes);
        int read = await Store.ReadAsync(volume.FileName, 0, buffer.OwnedMemory, cancellationToken).ConfigureAwait(false);
        buffer.Truncate(read);
        if (read == volume.SizeBytes)
        {
            Fetched?.Invoke(volume, buffer.Memory);
        }

        return buffer.Keep();
    }

    public bool IsPassphraseRight => ciphers.IsPassphraseRight;

    /// <summary>Decrypts a fetched volume; takes over the buffer.</summary>
    public async ValueTask<DecryptedVolume> DecryptAsync(Volume volume, PooledBuffer buffer, CancellationToken cancellationToken)
    {
        using PooledBuffer fetched = buffer;
        EncryptionKind kind = VolumeContent.EncryptionOf(fetched.Span) ?? volume.Name.Encryption;
        string? note = kind == volume.Name.Encryption ? null : VolumeContent.Describe(kind);
        if (kind == EncryptionKind.None && note is not null && volume.Name.Kind != VolumeKind.Block && !ciphers.AllowsUnencrypted)
        {
            throw new InvalidDataException(
                "The file is not encrypted, though its name says so: anyone who can write to the storage could have made it")
                .With(IssueCode.UnencryptedVolume);
        }

        if (ciphers.For(kind) is not { } cipher)
        {
            return new DecryptedVolume(fetched.Keep(), 0, fetched.Length, Authentic: true, Defect: null) { Note = note };
        }

        // A file list may stay in memory while another volume is read.
        DecryptedVolume plain = volume.Name.Kind == VolumeKind.FileList
            ? await cipher.DecryptAsync(fetched.Keep(), cancellationToken).ConfigureAwait(false)
            : await cipher.DecryptInTurnAsync(fetched.Keep(), cancellationToken).ConfigureAwait(false);
        ciphers.IsPassphraseRight = true;
        return plain with { Note = note };
    }

    public ValueTask<AesCryptSession> OpenSessionAsync(ReadOnlyMemory<byte> header, CancellationToken cancellationToken) =>
        ciphers.OpenAesSessionAsync(header, cancellationToken);

    /// <summary>Opens the archive of a decrypted volume; the caller keeps the volume alive.</summary>
    public Archive OpenArchive(Volume volume, in DecryptedVolume plain) => ArchiveReader.Open(volume.Name.Archive, plain.Memory, Codecs);

    /// <summary>The same for an archive of which a part may be lost; for <see cref="Archive.OpenSalvaged"/>.</summary>
    public Archive OpenDamaged(Volume volume, in DecryptedVolume plain) => ArchiveReader.Open(volume.Name.Archive, plain.Memory, Codecs, keepsCut: true);

    /// <summary>Loads what is left of a volume. What was added to an encrypted one is left out, if its authentication code is in it still.</summary>
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
            using AesCryptSession session = await OpenSessionAsync(fetched.Memory, cancellationToken).ConfigureAwait(false);
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
        if (volume.Name.Kind == VolumeKind.FileList && !Store.IsLocal && plain.Length <= MostKeptBytes && loaded.IsIntact)
        {
            Volatile.Write(ref kept, new KeptList(volume, plain.Memory.ToArray()));
        }

        return loaded;
    }

    /// <summary>The manifest of an intact volume; null if the volume is not intact or has none.</summary>
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

internal sealed record LoadedVolume(DecryptedVolume Plain, Archive Archive) : IDisposable
{
    public bool IsIntact => Plain.Authentic && !Archive.IsSalvaged;

    /// <summary>Refuses an unverified list: a list can be used only if its volume is authentic and its archive whole.</summary>
    public void RequireIntact()
    {
        if (!Plain.Authentic)
        {
            throw new InvalidDataException(Plain.Defect ?? "The volume is not authentic");
        }

        if (Archive.IsSalvaged)
        {
            throw new InvalidDataException(Archive.SalvageReason ?? "The directory of the archive is damaged");
        }
    }

    public void Dispose()
    {
        Archive.Dispose();
        Plain.Buffer.Dispose();
    }
}

/// <summary>
/// The bytes of a volume in memory: the whole file (<see cref="WholeVolume"/>) or some of its entries (<see cref="OpenedPart"/>), in a pooled buffer that it
/// owns; or the means to read it chunk by chunk (<see cref="ChunkedVolume"/>). The steps are the same: decrypt, then open the archive.
/// </summary>
internal abstract class FetchedVolume(Volume volume, PooledBuffer? buffer) : IDisposable
{
    private PooledBuffer? buffer = buffer;
    private List<IDisposable>? attached;

    public Volume Volume { get; } = volume;

    public abstract bool IsWhole { get; }

    /// <summary>What is wrong with the volume; null if nothing is known to be. Its blocks may still be used one by one.</summary>
    public string? Defect { get; protected set; }

    public virtual int LengthBytes => buffer?.Length ?? 0;

    /// <summary>Bytes of memory that the volume occupies until its last block was used, used or not.</summary>
    public virtual long MemoryBytes => Volume.MemoryFor(Buffer.Room.Length);

    /// <summary>The memory with the bytes; a block that is stored without compression is used in place.</summary>
    public PooledBuffer Buffer => buffer ?? throw new ObjectDisposedException(nameof(FetchedVolume));

    /// <summary>Ties an object to the memory, as the credit for it: it is disposed when the last user of the memory is done.</summary>
    public void Attach(IDisposable companion) => (attached ??= []).Add(companion);

    /// <summary>Decrypts the bytes, in place if the cipher can.</summary>
    /// <exception cref="InvalidDataException">The volume is not what its name says; no part of it can be used.</exception>
    /// <exception cref="Encryption.PassphraseException">The passphrase does not open the volume.</exception>
    public virtual async ValueTask DecryptAsync(VolumeLoader loader, CancellationToken cancellationToken)
    {
        // The cipher takes over the buffer and may return another one: what is attached belongs to the returned one.
        PooledBuffer fetched = Buffer;
        buffer = null;
        buffer = await DecryptAsync(loader, fetched, cancellationToken).ConfigureAwait(false);
        attached?.ForEach(buffer.Attach);
        attached = null;
    }

    /// <summary>Opens the archive, after decryption. The archive is valid as long as this volume is.</summary>
    /// <exception cref="InvalidDataException">No entry can be found in it.</exception>
    public abstract Archive OpenArchive(Codecs codecs);

    public virtual void Dispose()
    {
        buffer?.Dispose();
        buffer = null;
        attached?.ForEach(companion => companion.Dispose());
        attached = null;
    }

    /// <summary>Decrypts; takes over the buffer. What is decrypted already stays as it is.</summary>
    protected virtual ValueTask<PooledBuffer> DecryptAsync(VolumeLoader loader, PooledBuffer fetched, CancellationToken cancellationToken) =>
        ValueTask.FromResult(fetched);
}

/// <summary>A volume whose whole file was read, as far as the store has it.</summary>
internal sealed class WholeVolume : FetchedVolume
{
    private DecryptedVolume? plain;

    public WholeVolume(Volume volume, PooledBuffer buffer)
        : base(volume, buffer) =>
        Defect = buffer.Length < volume.SizeBytes ? $"The volume ended after {buffer.Length:N0} of {volume.SizeBytes:N0} bytes" : null;

    public override bool IsWhole => true;

    public override int LengthBytes => plain?.Length ?? base.LengthBytes;

    public override Archive OpenArchive(Codecs codecs) => plain is { } archive
        ? ArchiveReader.Open(Volume.Name.Archive, archive.Memory, codecs)
        : throw new InvalidOperationException("A volume is opened after its decryption");

    protected override async ValueTask<PooledBuffer> DecryptAsync(VolumeLoader loader, PooledBuffer fetched, CancellationToken cancellationToken)
    {
        if (fetched.Length == 0)
        {
            fetched.Dispose();
            throw new InvalidDataException("The volume is empty");
        }

        DecryptedVolume decrypted = await loader.DecryptAsync(Volume, fetched, cancellationToken).ConfigureAwait(false);
        plain = decrypted;
        Defect ??= decrypted.Defect ?? decrypted.Note;
        return decrypted.Buffer;
    }
}

/// <summary>Some entries of a zip volume in one buffer, already decrypted. Only the hash of each block verifies them.</summary>
internal sealed class OpenedPart(Volume volume, PooledBuffer buffer, int dataLength, IReadOnlyList<ArchiveEntry> entries) : FetchedVolume(volume, buffer)
{
    public override bool IsWhole => false;

    public override Archive OpenArchive(Codecs codecs) => new ZipArchiveReader(Buffer.Memory, entries, dataLength, codecs);
}
