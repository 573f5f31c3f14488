using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Restore.Volumes.Parity;

namespace Restore.Volumes;

/// <summary>
/// The three steps from a volume in a store to an archive in memory. The flow has a process for each step; callers that need a single small volume use <see
/// cref="LoadAsync"/>.
/// </summary>
internal sealed class VolumeLoader(IVolumeStore store, VolumeCiphers ciphers, Codecs codecs, BufferPool pool, ILogger? logger = null)
{
    public ILogger Logger { get; } = logger ?? NullLogger.Instance;

    public IVolumeStore Store { get; } = store;

    /// <summary>Repairs volumes that turn out damaged or missing; null for never.</summary>
    public VolumeMender? Mender { get; init; }

    /// <summary>Sees each volume that was read whole, as the store has it; null for nobody.</summary>
    public Action<Volume, ReadOnlyMemory<byte>>? Fetched { get; init; }

    public Codecs Codecs { get; } = codecs;

    public BufferPool Pool { get; } = pool;

    /// <summary>The directories of volumes of which readers want small parts again and again.</summary>
    public DirectoryCache Directories { get; } = new();

    public VolumeLoader With(IVolumeStore other) => new(other, ciphers, Codecs, Pool, Logger) { Mender = Mender, Fetched = Fetched };

    public VolumeLoader Seen(Action<Volume, ReadOnlyMemory<byte>> fetched) =>
        new(Store, ciphers, Codecs, Pool, Logger) { Mender = Mender, Fetched = fetched };

    public static void RequireSize(Volume volume)
    {
        // Asking for the memory of the machine takes time.
        const long AlwaysFits = 256 << 20;
        long most = volume.SizeBytes <= AlwaysFits ? AlwaysFits : Math.Min(Array.MaxLength, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 4 * 3);
        if (volume.SizeBytes > most)
        {
            throw new IOException($"The volume is {volume.SizeBytes:N0} bytes long, and this machine can hold {most:N0} in memory at once");
        }

        if (volume.SizeBytes <= 0)
        {
            throw new InvalidDataException(volume.IsMissing ? "The volume is missing" : "The volume is empty");
        }
    }

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
        if (ciphers.For(volume.Name.Encryption) is not { } cipher)
        {
            return new DecryptedVolume(fetched.Keep(), 0, fetched.Length, Authentic: true, Defect: null);
        }

        // A file list may stay in memory while another volume is read.
        DecryptedVolume plain = volume.Name.Kind == VolumeKind.FileList
            ? await cipher.DecryptAsync(fetched.Keep(), cancellationToken).ConfigureAwait(false)
            : await cipher.DecryptInTurnAsync(fetched.Keep(), cancellationToken).ConfigureAwait(false);
        ciphers.IsPassphraseRight = true;
        return plain;
    }

    public AesCryptSession OpenSession(ReadOnlySpan<byte> header, CancellationToken cancellationToken) => ciphers.OpenAesSession(header, cancellationToken);

    /// <summary>Opens the archive of a decrypted volume; the caller keeps the volume alive.</summary>
    public Archive OpenArchive(Volume volume, in DecryptedVolume plain) => ArchiveReader.Open(volume.Name.Archive, plain.Memory, Codecs);

    public async ValueTask<LoadedVolume> LoadAsync(Volume volume, CancellationToken cancellationToken)
    {
        PooledBuffer fetched = await FetchAsync(volume, cancellationToken).ConfigureAwait(false);
        DecryptedVolume plain = await DecryptAsync(volume, fetched, cancellationToken).ConfigureAwait(false);
        using PooledBuffer buffer = plain.Buffer;
        LoadedVolume loaded = new(plain, OpenArchive(volume, plain));
        buffer.AddUsers();
        return loaded;
    }
}

internal sealed record LoadedVolume(DecryptedVolume Plain, Archive Archive) : IDisposable
{
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
