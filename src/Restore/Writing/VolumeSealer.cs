using Restore.Writing.Messages;

namespace Restore.Writing;

/// <summary>
/// Turns finished archives into volumes for the destination. Safe for concurrent use.
/// </summary>
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

    public VolumeEncrypted Seal(VolumeBuilt built)
    {
        using PooledBuffer content = Seal(built.TakeArchive());
        byte[] hash = settings.Layout.FileHash.HashData(content.Span);
        IndexedVolume indexed = new(NewBlockName(), hash, content.Length, built.Blocks, built.Blocklists);
        NamedVolume index = SealIndex(indexed);
        return new VolumeEncrypted(new NamedVolume(indexed.Name, content.Keep()), index, indexed);
    }

    public NamedVolume SealIndex(IndexedVolume indexed) => new(NewIndexName(), Seal(Index(indexed)));

    /// <summary>Puts a block volume, and after it the index volume that describes it.</summary>
    public async Task PutAsync(VolumeEncrypted volume, Func<Func<int, string>, ReadOnlyMemory<byte>, Task<string>> put)
    {
        string name = await put(trial => trial == 0 ? volume.Blocks.Name : NewBlockName(), volume.Blocks.Content.Memory)
            .ConfigureAwait(false);

        // A failed upload was repeated under another name, and the index must have that name.
        NamedVolume index = name == volume.Blocks.Name ? volume.Index : SealIndex(volume.Indexed with { Name = name });
        try
        {
            await put(trial => trial == 0 ? index.Name : NewIndexName(), index.Content.Memory).ConfigureAwait(false);
        }
        finally
        {
            if (index.Content != volume.Index.Content)
            {
                index.Content.Dispose();
            }
        }
    }

    public string NewBlockName() =>
        VolumeName.FormatBlock(settings.Prefix, Guid.NewGuid(), ArchiveKind.Zip, settings.Encryption);

    public string NewIndexName() =>
        VolumeName.FormatIndex(settings.Prefix, Guid.NewGuid(), ArchiveKind.Zip, settings.Encryption);

    private PlainVolume Index(IndexedVolume indexed)
    {
        int blocklistBytes = indexed.Blocklists.Sum(list => list.Content.Length + 256);
        using VolumeArchive archive = new(settings, pool, created, blocklistBytes + (indexed.Blocks.Count * 64) + 4096);
        Span<byte> name = stackalloc byte[IndexEntryName.MaxBlocklistNameBytes];
        foreach ((byte[] hash, byte[] content) in indexed.Blocklists)
        {
            int length = IndexEntryName.OfBlocklist(hash, name);
            archive.Zip.AddStored(name[..length], content);
        }

        using (Stream json = archive.OpenJson(IndexEntryName.OfVolume(indexed.Name)))
        {
            IndexVolumeWriter writer = new(json);
            for (int block = 0; block < indexed.Blocks.Count; block++)
            {
                writer.Add(indexed.Blocks.HashOf(block), indexed.Blocks.SizeOf(block));
            }

            writer.Finish(indexed.Hash, indexed.SizeBytes);
        }

        return archive.Finish();
    }
}

internal sealed record IndexedVolume(
    string Name,
    byte[] Hash,
    long SizeBytes,
    BlockList Blocks,
    List<(byte[] Hash, byte[] Content)> Blocklists
);
