using Restore.Compression.Zip;
using Restore.Writing.Messages;

namespace Restore.Writing;

/// <summary>
/// The archive of a volume that is being filled: the manifest is its first entry.
/// </summary>
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

        // The header of the cipher goes before the archive, in the same buffer, so the archive is
        // encrypted where it is.
        output.Advance(settings.ArchiveOffset);
        Zip = new ZipWriter(output, pool, created);
        string version = typeof(VolumeArchive).Assembly.GetName().Version!.ToString();
        AddDeflated("manifest", Manifest.Write(settings.Layout, created, version));
    }

    public ZipWriter Zip { get; }

    /// <summary>Length of the volume if it were finished now.</summary>
    public int FinishedLength =>
        settings.Encryption == EncryptionKind.None
            ? Zip.FinishedLength
            : AesCryptEncryptor.EncryptedLength(Zip.FinishedLength);

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
