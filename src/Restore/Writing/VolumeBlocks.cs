namespace Restore.Writing;

/// <summary>
/// Reads block volumes that no index volume describes, to make their index volumes from the
/// verified blocks in them.
/// </summary>
/// <param name="maxBlockBytes">Limit of the length of a block that is decoded into memory.</param>
/// <param name="ranges">How volumes that do not fit into memory are read in parts; null to refuse
/// them.</param>
internal sealed class VolumeBlocks(
    VolumeLoader loader,
    BlockLayout layout,
    long maxBlockBytes,
    RangePolicy? ranges = null
)
{
    // Hashes do not compress, so the blocklists of a volume are hardly longer than the volume.
    // Blocklists beyond this limit, which were made to decode to far more, are left out of the
    // index volume: they are only copies.
    private const int FreeCopiedBytes = 16 << 20;
    private const int MaxCopiedBytes = 1 << 30;

    private long copiesLeft;

    /// <summary>
    /// Whether a block is a blocklist, so that the index volume has a copy of it.
    /// </summary>
    public delegate bool ListFilter(ReadOnlySpan<byte> hash, int lengthBytes);

    /// <exception cref="InvalidDataException">The volume or a block in it is damaged: an index
    /// volume that lists a damaged block would hide that.</exception>
    public async Task<IndexedVolume> ReadAsync(Volume volume, ListFilter isList, CancellationToken cancellationToken)
    {
        if (
            ranges is not null
            && !VolumeLoader.FitsWhole(volume.SizeBytes)
            && ranges.CanReadParts(volume, loader.Store.HasRanges)
        )
        {
            byte[] hashOfAll = await VolumeInParts
                .VerifyAsync(loader, volume, ranges, layout.FileHash, cancellationToken)
                .ConfigureAwait(false);
            IndexedVolume inParts = Begin(volume, hashOfAll);
            await VolumeInParts.PassAsync(loader, volume, ranges, Receive, cancellationToken).ConfigureAwait(false);
            return inParts;

            bool Receive(Archive archive)
            {
                ReadBlocks(archive, inParts, isList);
                return true;
            }
        }

        byte[]? hash = null;
        using LoadedVolume loaded = await loader
            .Seen((_, bytes) => hash = layout.FileHash.HashData(bytes.Span))
            .LoadAsync(volume, cancellationToken)
            .ConfigureAwait(false);
        return Read(volume, loaded, hash ?? throw new InvalidDataException("It ends early"), isList);
    }

    /// <summary>Verifies and lists the blocks of a volume that was loaded.</summary>
    /// <param name="volume">The volume.</param>
    /// <param name="loaded">Its content.</param>
    /// <param name="hash">The hash of its bytes in the store.</param>
    /// <param name="isList">Whether a block is a blocklist.</param>
    /// <exception cref="InvalidDataException">The volume or a block in it is damaged.</exception>
    public IndexedVolume Read(Volume volume, LoadedVolume loaded, byte[] hash, ListFilter isList)
    {
        loaded.RequireIntact();
        IndexedVolume indexed = Begin(volume, hash);
        ReadBlocks(loaded.Archive, indexed, isList);
        return indexed;
    }

    /// <summary>
    /// The name of the index volume. It is the same in each run, so a run replaces what a killed
    /// run left half written.
    /// </summary>
    public static string IndexNameOf(Volume volume) =>
        VolumeName.FormatIndex(
            volume.Name.Prefix,
            new Guid(SHA256.HashData(Encoding.UTF8.GetBytes(volume.FileName)).AsSpan(0, 16)),
            ArchiveKind.Zip,
            volume.Name.Encryption
        );

    private IndexedVolume Begin(Volume volume, byte[] hash)
    {
        copiesLeft = Math.Clamp(volume.SizeBytes, FreeCopiedBytes, MaxCopiedBytes);
        return new IndexedVolume(
            volume.FileName,
            hash,
            volume.SizeBytes,
            new BlockList(layout.BlockHash.LengthBytes()),
            []
        );
    }

    private void ReadBlocks(Archive archive, IndexedVolume indexed, ListFilter isList)
    {
        Span<byte> hash = stackalloc byte[HashKinds.MaxLengthBytes];
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            if (!BlockName.TryDecode(archive.NameOf(entry), hash, out int length))
            {
                continue;
            }

            bool isBlock =
                length == layout.BlockHash.LengthBytes()
                && entry.Length <= Math.Min(layout.BlockSizeBytes, maxBlockBytes);
            if (!isBlock || !TryAdd(archive, entry, hash[..length], indexed, isList))
            {
                throw new InvalidDataException($"its block {BlockName.Format(hash[..length])} is damaged or too long");
            }
        }
    }

    private bool TryAdd(
        Archive archive,
        in ArchiveEntry entry,
        ReadOnlySpan<byte> hash,
        IndexedVolume indexed,
        ListFilter isList
    )
    {
        using PooledBuffer block = loader.Pool.Rent((int)entry.Length);
        if (
            archive.Decode(entry, block.Span, checkCrc: false) != DecodeResult.Decoded
            || !layout.BlockHash.Matches(block.Span, hash)
        )
        {
            return false;
        }

        indexed.Blocks.Add(hash, block.Length);
        if (block.Length <= copiesLeft && isList(hash, block.Length))
        {
            copiesLeft -= block.Length;
            indexed.Blocklists.Add((hash.ToArray(), block.Span.ToArray()));
        }

        return true;
    }
}
