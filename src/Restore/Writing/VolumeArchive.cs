using Restore.Compression.Zip;
using Restore.Writing.Messages;

namespace Restore.Writing;

/// <summary>The archive of a volume that is being filled: the manifest is its first entry.</summary>
internal sealed class VolumeArchive : IDisposable
{
    // The cipher's header, end and padding.
    private const int CipherRoomBytes = 256;

    // Most of the JSON is base64 of hashes: level 6 takes 1.3 times as long and saves a hundredth.
    private const int JsonLevel = 3;

    private readonly WriterSettings settings;
    private readonly PooledOutput output;

    public VolumeArchive(WriterSettings settings, BufferPool pool, DateTimeOffset created, int capacityBytes)
    {
        this.settings = settings;
        output = new PooledOutput(pool, capacityBytes + CipherRoomBytes);
        output.Advance(settings.ArchiveOffset);
        Zip = new ZipWriter(output, pool, created);
        string version = typeof(VolumeArchive).Assembly.GetName().Version!.ToString();
        AddDeflated("manifest", Manifest.Write(settings.Layout, created, version));
    }

    public ZipWriter Zip { get; }

    /// <summary>Length of the volume if it were finished now.</summary>
    public int FinishedLength => settings.Encryption == EncryptionKind.None ? Zip.FinishedLength : AesCryptEncryptor.EncryptedLength(Zip.FinishedLength);

    public void AddDeflated(string name, ReadOnlySpan<byte> content)
    {
        using Stream entry = OpenJson(name);
        entry.Write(content);
    }

    public Stream OpenJson(string name, bool isLarge = false) => Zip.Open(name, JsonLevel, isLarge);

    public PlainVolume Finish()
    {
        Zip.Finish();
        int archiveLength = output.Length - settings.ArchiveOffset;
        if (settings.Encryption != EncryptionKind.None)
        {
            int rest = AesCryptEncryptor.EncryptedLength(archiveLength) - output.Length;
            output.GetSpan(rest);
            output.Advance(rest);
        }

        return new PlainVolume(output.Detach(), archiveLength);
    }

    public void Dispose()
    {
        Zip.Dispose();
        output.Dispose();
    }
}

/// <summary>The volume of a file list that is being written.</summary>
/// <param name="likelyBytes">About its length: so much room it has from the beginning. What it does not use takes no memory.</param>
internal sealed class FileListArchive(WriterSettings settings, BufferPool pool, DateTimeOffset created, long likelyBytes) : IDisposable
{
    private readonly VolumeArchive archive = new(settings, pool, created, (int)Math.Clamp(likelyBytes, 1 << 20, Array.MaxLength / 2));
    private Stream? json;

    /// <summary>Adds what is in a list besides the entries, before these.</summary>
    public void Attach(string name, Stream content)
    {
        using Stream entry = archive.OpenJson(name);
        content.CopyTo(entry);
    }

    /// <param name="isLarge">Whether the list can have 4 GiB or more.</param>
    public FileListWriter Begin(bool isFullBackup, bool isLarge)
    {
        archive.AddDeflated("fileset", new FilesetInfo(isFullBackup).Write());
        json = archive.OpenJson("filelist.json", isLarge);
        return new FileListWriter(json, settings.Layout);
    }

    /// <summary>Ends the list; its writer has finished.</summary>
    public PooledBuffer Finish()
    {
        json!.Dispose();
        json = null;
        return new VolumeSealer(settings, pool, created).Seal(archive.Finish());
    }

    public void Dispose()
    {
        json?.Dispose();
        archive.Dispose();
    }
}
