namespace Restore.Catalog.Locating;

/// <summary>The index volumes, read concurrently until everything is located or none is left.</summary>
internal sealed class IndexSource(SearchState search, VolumeLoader loader, VolumeSet volumes, RangePolicy ranges) : ILocationSource
{
    private readonly IndexReading reading = new(loader, volumes, search.Layout, ranges);
    private readonly Queue<Volume> unread = new(volumes.Indexes);
    private readonly ForgottenVolumes forgotten = new(search);

    public async Task<bool> TryStepAsync(Action<int, int> progress, CancellationToken cancellationToken)
    {
        bool isFirstTime = unread.Count > 0;
        Volume[] again = isFirstTime ? [] : forgotten.TakeDue();
        if (!isFirstTime && again.Length == 0)
        {
            return false;
        }

        int done = isFirstTime ? volumes.Indexes.Count - unread.Count : 0;
        int total = isFirstTime ? volumes.Indexes.Count : again.Length;
        Log.ReadingIndexes(loader.Logger, isFirstTime ? unread.Count : again.Length);
        IEnumerable<Volume> next = isFirstTime ? TakeWhileNeeded() : again;
        await Parallel.ForEachAsync(next, Parallelism.OfIndexes(volumes.Indexes, loader.Store.IsLocal, cancellationToken), async (volume, token) =>
        {
            await ReadAsync(volume, token).ConfigureAwait(false);
            progress(Interlocked.Increment(ref done), total);
        }).ConfigureAwait(false);
        search.OfferKept();
        return true;
    }

    private IEnumerable<Volume> TakeWhileNeeded()
    {
        while (!search.IsSettled && unread.TryDequeue(out Volume? next))
        {
            yield return next;
        }
    }

    private async Task ReadAsync(Volume volume, CancellationToken cancellationToken)
    {
        try
        {
            int missing = search.Ask(index => index.MissingBlocklists);
            using IndexContents contents = await reading.ReadAsync(volume, Take, missing, search.IsMissingBlocklist, cancellationToken)
                .ConfigureAwait(false);
            contents.Defects.ForEach(defect => search.Report(volume.FileName, $"A part of the index volume cannot be used: {defect}"));
            if (contents.FurtherDefects > 0)
            {
                search.Report(volume.FileName, $"{contents.FurtherDefects:N0} further parts of the index volume cannot be used");
            }

            Take(contents);
            if (contents.BrokenBy is string reason)
            {
                search.Survey.TakeBroken(volume, reason);
            }

            void Take(IndexContents part)
            {
                if (search.Take(volume, part) is int revision)
                {
                    forgotten.Add(volume, revision);
                }
            }
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            search.Survey.TakeBroken(volume, failure.Reason());
            search.Report(
                volume.FileName, $"The index volume cannot be used: {failure.Reason()}; block volumes are searched instead", failure.ToIssueCode());
        }
    }
}

/// <summary>Reads the contents of an index volume. An index is a hint: each unsound part is left out, and the rest is used.</summary>
internal sealed class IndexReading(VolumeLoader loader, VolumeSet volumes, BlockLayout layout, RangePolicy ranges)
{
    // The JSON of one index has at least this many bytes for a block with a hash of 32 bytes.
    private const int BytesPerBlock = 64;

    // The JSON of one index is about 80 bytes for a block: the limit is 12 million blocks in one volume.
    private const long MaxIndexEntryBytes = 1L << 30;

    // Compressed, 40 bytes or more for a block: 3 million blocks.
    private const long MaxIndexBytes = 128 << 20;

    private readonly DataHasher hasher = new(layout.BlockHash);

    /// <param name="take">Takes a part of the contents, if the volume has more of them than should be in memory at once.</param>
    /// <param name="missingBlocklists">How many needed blocklists are missing in all.</param>
    /// <param name="isWantedBlocklist">Whether a blocklist of this hash and length is needed; called from several threads.</param>
    public async ValueTask<IndexContents> ReadAsync(
        Volume volume, Action<IndexContents> take, int missingBlocklists, BlocklistFilter isWantedBlocklist, CancellationToken cancellationToken)
    {
        if (volume.SizeBytes > MaxIndexBytes)
        {
            throw new InvalidDataException($"It is {volume.SizeBytes:N0} bytes long, which is larger than the limit of {MaxIndexBytes:N0}");
        }

        if (ranges.IsWorthTryingIndex(volume, missingBlocklists * (long)layout.BlockSizeBytes, loader.Store.HasRanges)
            && await TryReadPartAsync(volume, take, isWantedBlocklist, cancellationToken).ConfigureAwait(false) is IndexContents part)
        {
            return part;
        }

        using LoadedVolume loaded = await loader.LoadAsync(volume, cancellationToken).ConfigureAwait(false);
        loaded.RequireIntact();
        return Read(loaded.Archive, take, isWantedBlocklist);
    }

    /// <summary>
    /// Reads an index volume without the copies of blocklists that nothing needs. Such a read is not authenticated, so a defect that it finds is not reported:
    /// the whole volume is read instead.
    /// </summary>
    private async ValueTask<IndexContents?> TryReadPartAsync(
        Volume volume, Action<IndexContents> take, BlocklistFilter isWantedBlocklist, CancellationToken cancellationToken)
    {
        try
        {
            using SparseVolume sparse = await SparseVolume.OpenAsync(loader, volume, ranges, cancellationToken).ConfigureAwait(false);
            List<ArchiveEntry> entries = sparse.Find((name, length) => IsWanted(name, length, isWantedBlocklist));
            if (await sparse.TryReadAsync(entries, cancellationToken).ConfigureAwait(false) is not OpenedPart part)
            {
                return null;
            }

            using OpenedPart owned = part;
            using Archive archive = part.OpenArchive(loader.Codecs);
            IndexContents contents = Read(archive, take, isWantedBlocklist);
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
        return !IndexEntryName.TryGetBlocklist(name, hash, out int hashLength) || isWantedBlocklist(hash[..hashLength], length);
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

    private void ReadEntry(Archive archive, in ArchiveEntry entry, IndexContents contents, BlocklistFilter isWantedBlocklist)
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
                    throw new InvalidDataException("The manifest gives another block size or other hash algorithms than the file list's");
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
            contents.AddDefect($"It gives no sound hash and size for {info.SkippedCount:N0} of the blocks that it lists");
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
            contents.AddDefect($"It gives {size:N0} bytes as the size of {described.FileName}, which has {described.SizeBytes:N0}");
        }
    }

    private void ReadBlocklist(Archive archive, in ArchiveEntry entry, ReadOnlySpan<byte> hash, IndexContents contents, BlocklistFilter isWantedBlocklist)
    {
        if (hash.Length != layout.BlockHash.LengthBytes() || entry.Length > layout.BlockSizeBytes || !isWantedBlocklist(hash, entry.Length))
        {
            return;
        }

        PooledBuffer content = loader.Pool.Rent((int)entry.Length);
        bool isGood = false;
        try
        {
            isGood = archive.Decode(entry, content.Span, checkCrc: false) == DecodeResult.Decoded && hasher.Matches(content.Span, hash);
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

internal delegate bool BlocklistFilter(ReadOnlySpan<byte> hash, long sizeBytes);

/// <summary>How many volumes are read at the same time: each is in memory as a whole.</summary>
internal static class Parallelism
{
    private const int RemoteReads = 16;
    private const long MaxBytesInFlight = 256 << 20;

    /// <summary>
    /// Index volumes are small, so latency matters for a remote store: at 50 ms a request, 16 at a time read 1,000 in 3.1 s.
    /// Large ones are limited by the memory budget.
    /// </summary>
    public static ParallelOptions OfIndexes(IReadOnlyList<Volume> indexes, bool isLocal, CancellationToken cancellationToken) =>
        Of(indexes, Math.Max(Environment.ProcessorCount, isLocal ? 1 : RemoteReads), cancellationToken);

    public static ParallelOptions Of(IReadOnlyList<Volume> volumes, int most, CancellationToken cancellationToken)
    {
        long largestBytes = volumes.Select(volume => volume.SizeBytes).Append(1).Max();
        return new() { MaxDegreeOfParallelism = (int)Math.Clamp(MaxBytesInFlight / largestBytes, 1, most), CancellationToken = cancellationToken };
    }
}

/// <summary>
/// Volumes whose lists did not fit into memory. Each is read again only after more blocks became needed. So a block that is nowhere does not cause
/// endless reading.
/// </summary>
internal sealed class ForgottenVolumes(SearchState search)
{
    private readonly Dictionary<Volume, int> revisions = [];
    private readonly Lock gate = new();

    /// <summary>Records that the lists of a volume were dropped, with the <see cref="BlockIndex.Revision"/> at that time.</summary>
    public void Add(Volume volume, int revision)
    {
        lock (gate)
        {
            revisions[volume] = revision;
        }
    }

    /// <summary>Returns the volumes worth reading again: none while blocklists can be fetched, since those add more needed blocks.</summary>
    public Volume[] TakeDue()
    {
        int now = search.Ask(index => index.UnlocatedBlocks > 0 && index.ListFetchableBlocklists().Length == 0 ? index.Revision : 0);
        lock (gate)
        {
            Volume[] due = [.. revisions.Where(volume => volume.Value < now).Select(volume => volume.Key).OrderBy(volume => volume.Id.Value)];
            Array.ForEach(due, volume => revisions.Remove(volume));
            return due;
        }
    }
}
