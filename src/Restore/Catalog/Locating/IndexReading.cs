namespace Restore.Catalog.Locating;

/// <summary>
/// Reads the contents of an index volume. An index is a hint: each unsound part is left out, and
/// the rest is used.
/// </summary>
internal sealed class IndexReading(VolumeLoader loader, VolumeSet volumes, BlockLayout layout, RangePolicy ranges)
{
    // The JSON of one index has at least this many bytes for a block with a hash of 32 bytes.
    private const int BytesPerBlock = 64;

    // The JSON of one index is about 80 bytes for a block: the limit is 12 million blocks in one
    // volume.
    private const long MaxIndexEntryBytes = 1L << 30;

    // Compressed, 40 bytes or more for a block: 3 million blocks.
    private const long MaxIndexBytes = 128 << 20;

    private readonly DataHasher hasher = new(layout.BlockHash);

    /// <param name="take">Takes a part of the contents, if the volume has more of them than should
    /// be in memory at once.</param>
    /// <param name="missingBlocklists">How many needed blocklists are missing in all.</param>
    /// <param name="isWantedBlocklist">Whether a blocklist of this hash and length is needed;
    /// called from several threads.</param>
    public async ValueTask<IndexContents> ReadAsync(
        Volume volume,
        Action<IndexContents> take,
        int missingBlocklists,
        BlocklistFilter isWantedBlocklist,
        CancellationToken cancellationToken
    )
    {
        if (volume.SizeBytes > MaxIndexBytes)
        {
            throw new InvalidDataException(
                $"It is {volume.SizeBytes:N0} bytes long, which is larger than the limit of {MaxIndexBytes:N0}"
            );
        }

        if (
            ranges.IsWorthTryingIndex(volume, missingBlocklists * (long)layout.BlockSizeBytes, loader.Store.HasRanges)
            && await TryReadPartAsync(volume, take, isWantedBlocklist, cancellationToken).ConfigureAwait(false)
                is IndexContents part
        )
        {
            return part;
        }

        using LoadedVolume loaded = await loader.LoadAsync(volume, cancellationToken).ConfigureAwait(false);
        loaded.RequireIntact();
        return Read(loaded.Archive, take, isWantedBlocklist);
    }

    /// <summary>
    /// Reads an index volume without the copies of blocklists that nothing needs. Such a read is
    /// not authenticated, so a defect that it finds is not reported: the whole volume is read
    /// instead.
    /// </summary>
    private async ValueTask<IndexContents?> TryReadPartAsync(
        Volume volume,
        Action<IndexContents> take,
        BlocklistFilter isWantedBlocklist,
        CancellationToken cancellationToken
    )
    {
        try
        {
            using SparseVolume sparse = await SparseVolume
                .OpenAsync(loader, volume, ranges, cancellationToken)
                .ConfigureAwait(false);
            List<ArchiveEntry> entries = sparse.Find((name, length) => IsWanted(name, length, isWantedBlocklist));
            if (await sparse.TryReadAsync(entries, cancellationToken).ConfigureAwait(false) is not VolumeChunk part)
            {
                return null;
            }

            using VolumeChunk owned = part;
            using Archive archive = part.OpenArchive(loader.Codecs);
            IndexContents contents = Read(archive, take, isWantedBlocklist);

            // Parts may have been taken before the defect was found. That does no harm: an index is
            // a hint, and each part is offered again after the whole volume was read.
            if (contents.Defects.Count == 0)
            {
                return contents;
            }

            contents.Dispose();
            return null;
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            return null;
        }
    }

    private static bool IsWanted(ReadOnlySpan<byte> name, long length, BlocklistFilter isWantedBlocklist)
    {
        Span<byte> hash = stackalloc byte[HashKinds.MaxLengthBytes];
        return !IndexEntryName.TryGetBlocklist(name, hash, out int hashLength)
            || isWantedBlocklist(hash[..hashLength], length);
    }

    private IndexContents Read(Archive archive, Action<IndexContents> take, BlocklistFilter isWantedBlocklist)
    {
        IndexContents contents = new(take);
        try
        {
            while (archive.MoveNext(out ArchiveEntry entry))
            {
                ReadEntry(archive, entry, contents, isWantedBlocklist);
            }
        }
        catch (InvalidDataException defect)
        {
            contents.AddBreak(defect.Reason());
        }
        catch
        {
            contents.Dispose();
            throw;
        }

        if (contents.Layout is null && contents.Defects.Count == 0)
        {
            contents.AddBreak("It has no manifest");
        }

        return contents;
    }

    private void ReadEntry(
        Archive archive,
        in ArchiveEntry entry,
        IndexContents contents,
        BlocklistFilter isWantedBlocklist
    )
    {
        ReadOnlySpan<byte> name = archive.NameOf(entry);
        try
        {
            Span<byte> hash = stackalloc byte[HashKinds.MaxLengthBytes];
            if (IndexEntryName.TryGetBlocklist(name, hash, out int hashLength))
            {
                ReadBlocklist(archive, entry, hash[..hashLength], contents, isWantedBlocklist);
            }
            else if (IndexEntryName.TryGetVolume(name, out ReadOnlySpan<byte> volumeName))
            {
                ReadVolume(archive, entry, Encoding.UTF8.GetString(volumeName), contents);
            }
            else if (name.SequenceEqual(ManifestReading.EntryName))
            {
                contents.Layout = ManifestReading.Read(archive, entry).Layout;
                if (contents.Layout != layout)
                {
                    throw new InvalidDataException(
                        "The manifest gives another block size or other hash algorithms than the file list's"
                    );
                }
            }
        }
        catch (Exception defect) when (defect is InvalidDataException or UnsupportedMethodException)
        {
            contents.AddBreak(defect.Reason());
        }
    }

    private void ReadVolume(Archive archive, in ArchiveEntry entry, string name, IndexContents contents)
    {
        Volume? described = volumes.FindBlocks(name);
        if (described is null && !VolumeName.TryParse(name, out _))
        {
            return;
        }

        using ListSink sink = new(contents, described, name, layout, loader.Pool, entry.Length / BytesPerBlock);
        using Stream json = archive.Open(entry, MaxIndexEntryBytes);
        IndexVolumeInfo info = IndexVolumeReader.ReadBlocks(json, sink, layout);
        sink.Complete();
        if (info.SkippedCount > 0)
        {
            contents.AddDefect(
                $"It gives no sound hash and size for {info.SkippedCount:N0} of the blocks that it lists"
            );
        }

        if (described is not null)
        {
            contents.Descriptions.Add((described, info));
        }

        if (described is null)
        {
            contents.AddDefect($"It describes {name}, which is missing");
        }
        else if (info.VolumeSizeBytes is long size && size != described.SizeBytes)
        {
            contents.AddDefect(
                $"It gives {size:N0} bytes as the size of {described.FileName}, which has {described.SizeBytes:N0}"
            );
        }
    }

    private void ReadBlocklist(
        Archive archive,
        in ArchiveEntry entry,
        ReadOnlySpan<byte> hash,
        IndexContents contents,
        BlocklistFilter isWantedBlocklist
    )
    {
        if (
            hash.Length != layout.BlockHash.LengthBytes()
            || entry.Length > layout.BlockSizeBytes
            || !isWantedBlocklist(hash, entry.Length)
        )
        {
            return;
        }

        PooledBuffer content = loader.Pool.Rent((int)entry.Length);
        bool isGood = false;
        try
        {
            isGood =
                archive.Decode(entry, content.Span, checkCrc: false) == DecodeResult.Decoded
                && hasher.Matches(content.Span, hash);
        }
        finally
        {
            if (isGood)
            {
                contents.AddBlocklist(hash.ToArray(), content);
            }
            else
            {
                content.Dispose();
                contents.AddDefect("A blocklist in it is not what its name says");
            }
        }
    }
}
