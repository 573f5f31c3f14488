using Restore.Encryption;
using Restore.Format;
using Restore.Memory;
using Restore.Writing.Messages;

namespace Restore.Writing;

/// <summary>Turns finished archives into volumes for the destination. Safe for concurrent use.</summary>
internal sealed class VolumeSealer(WriterSettings settings, BufferPool pool, DateTimeOffset created)
{
    /// <summary>Encrypts an archive in place, if the backup is encrypted.</summary>
    public PooledBuffer Seal(PlainVolume plain)
    {
        if (settings.Options.Passphrase is { } passphrase)
        {
            Span<byte> volume = plain.Buffer.Span;
            AesCryptEncryptor.Encrypt(volume.Slice(settings.ArchiveOffset, plain.ArchiveLength), volume, passphrase);
        }

        return plain.Buffer;
    }

    /// <summary>Creates a block volume and its index volume.</summary>
    public VolumeEncrypted Seal(VolumeBuilt built)
    {
        NamedVolume blocks = new(
            VolumeName.FormatBlock(settings.Options.Prefix, Guid.NewGuid(), ArchiveKind.Zip, settings.Encryption), Seal(built.TakeArchive()));
        try
        {
            string indexName = VolumeName.FormatIndex(settings.Options.Prefix, Guid.NewGuid(), ArchiveKind.Zip, settings.Encryption);
            return new VolumeEncrypted(blocks, new NamedVolume(indexName, Seal(Index(built, blocks))));
        }
        catch
        {
            blocks.Content.Dispose();
            throw;
        }
    }

    private PlainVolume Index(VolumeBuilt built, NamedVolume blocks)
    {
        int blocklistBytes = built.Blocklists.Sum(list => list.Content.Length + 256);
        using VolumeArchive archive = new(settings, pool, created, blocklistBytes + (built.Blocks.Count * 64) + 4096);
        Span<byte> name = stackalloc byte[IndexEntryName.MaxBlocklistNameBytes];
        foreach ((byte[] hash, byte[] content) in built.Blocklists)
        {
            int length = IndexEntryName.OfBlocklist(hash, name);
            archive.Zip.AddStored(name[..length], content);
        }

        using (Stream json = archive.OpenJson(IndexEntryName.OfVolume(blocks.Name)))
        {
            IndexVolumeWriter writer = new(json);
            foreach ((byte[] hash, int sizeBytes) in built.Blocks)
            {
                writer.Add(hash, sizeBytes);
            }

            Span<byte> volumeHash = stackalloc byte[settings.Layout.FileHash.LengthBytes()];
            settings.Layout.FileHash.HashData(blocks.Content.Span, volumeHash);
            writer.Finish(volumeHash, blocks.Content.Length);
        }

        return archive.Finish();
    }
}
