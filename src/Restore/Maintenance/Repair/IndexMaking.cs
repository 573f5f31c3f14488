using Restore.Catalog.Locating;
using Restore.Writing;
using Restore.Writing.Messages;

namespace Restore.Maintenance.Repair;

/// <summary>Makes the index volumes of block volumes that no index volume describes, from the verified blocks that are in them.</summary>
internal sealed class IndexMaking(
    MaintenanceContext context, ReferencedBlocks references, RetryingSink sink, IssueLog issues, CancellationToken cancellationToken)
{
    // Hashes do not compress, so the blocklists of a volume are hardly longer than the volume. What was made to decode to far more is left out: it is a copy.
    private const int FreeCopiedBytes = 16 << 20;
    private const int MaxCopiedBytes = 1 << 30;

    private long copiesLeft;

    /// <param name="volume">The block volume.</param>
    /// <param name="taken">The names that the place has.</param>
    /// <returns>Its name; null if the block volume cannot be read.</returns>
    public async Task<string?> MakeAsync(Volume volume, HashSet<string> taken)
    {
        try
        {
            if (await IndexAsync(volume).ConfigureAwait(false) is not { } indexed)
            {
                return null;
            }

            VolumeSealer sealer = new(SettingsOf(volume), context.Loader.Pool, context.Time.GetUtcNow());
            NamedVolume index = sealer.SealIndex(indexed);
            string name = NameFor(volume);
            using (index.Content)
            {
                return await sink.PutAsync(
                    trial => trial == 0 && !taken.Contains(name) ? name : sealer.NewIndexName(),
                    index.Content.Memory,
                    cancellationToken).ConfigureAwait(false);
            }
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            issues.Add(new RestoreIssue(IssueKind.Warning, volume.FileName, $"No index volume can be made of it: {failure.Reason()}"));
            return null;
        }
    }

    /// <summary>What the index volume says; null if a block is not sound.</summary>
    private async Task<IndexedVolume?> IndexAsync(Volume volume)
    {
        BlockList blocks = new(references.Layout.BlockHash.LengthBytes());
        copiesLeft = Math.Clamp(volume.SizeBytes, FreeCopiedBytes, MaxCopiedBytes);
        if (!VolumeLoader.FitsWhole(volume.SizeBytes) && context.Ranges.CanReadParts(volume, context.Loader.Store.HasRanges))
        {
            byte[] hashOfAll = await VolumeInParts.VerifyAsync(
                context.Loader, volume, context.Ranges, references.Layout.FileHash, cancellationToken).ConfigureAwait(false);
            IndexedVolume inParts = new(volume.FileName, hashOfAll, volume.SizeBytes, blocks, []);
            return await VolumeInParts.PassAsync(
                context.Loader, volume, context.Ranges, archive => ReadBlocks(volume, archive, inParts), cancellationToken).ConfigureAwait(false)
                ? inParts : null;
        }

        byte[]? hash = null;
        VolumeLoader loader = context.Loader.Seen((_, bytes) => hash = references.Layout.FileHash.HashData(bytes.Span));
        using LoadedVolume loaded = await loader.LoadAsync(volume, cancellationToken).ConfigureAwait(false);
        loaded.RequireIntact();
        IndexedVolume indexed = new(volume.FileName, hash ?? throw new InvalidDataException("It ends early"), volume.SizeBytes, blocks, []);
        return ReadBlocks(volume, loaded.Archive, indexed) ? indexed : null;
    }

    /// <summary>Takes the blocks over. An index volume that lists a damaged block would hide the damage, so such a volume gets none.</summary>
    private bool ReadBlocks(Volume volume, Archive archive, IndexedVolume indexed)
    {
        Span<byte> hash = stackalloc byte[HashKinds.MaxLengthBytes];
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            if (!BlockName.TryDecode(archive.NameOf(entry), hash, out int length))
            {
                continue;
            }

            bool isBlock = length == references.Layout.BlockHash.LengthBytes()
                && entry.Length <= Math.Min(references.Layout.BlockSizeBytes, context.MaxBlockBytes);
            if (!isBlock || !TryAdd(archive, entry, hash[..length], indexed))
            {
                string block = BlockName.Format(hash[..length]);
                issues.Add(new RestoreIssue(
                    IssueKind.Warning, volume.FileName, $"No index volume is made of it: its block {block} is damaged or too long"));
                return false;
            }
        }

        return true;
    }

    private bool TryAdd(Archive archive, in ArchiveEntry entry, ReadOnlySpan<byte> hash, IndexedVolume indexed)
    {
        using PooledBuffer block = context.Loader.Pool.Rent((int)entry.Length);
        if (archive.Decode(entry, block.Span, checkCrc: false) != DecodeResult.Decoded || !references.Layout.BlockHash.Matches(block.Span, hash))
        {
            return false;
        }

        indexed.Blocks.Add(hash, block.Length);
        if (block.Length <= copiesLeft && references.Blocklists.Contains(references.Find(hash, block.Length)))
        {
            copiesLeft -= block.Length;
            indexed.Blocklists.Add((hash.ToArray(), block.Span.ToArray()));
        }

        return true;
    }

    /// <summary>The same name in each run: what one that was killed left half written is replaced by the next.</summary>
    private string NameFor(Volume volume) => VolumeName.FormatIndex(
        context.Volumes.Prefix, new Guid(SHA256.HashData(Encoding.UTF8.GetBytes(volume.FileName)).AsSpan(0, 16)), ArchiveKind.Zip, volume.Name.Encryption);

    private WriterSettings SettingsOf(Volume volume) =>
        context.SettingsOf(references.Layout, isEncrypted: volume.Name.Encryption != EncryptionKind.None);
}
