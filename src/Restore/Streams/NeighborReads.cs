namespace Restore.Streams;

/// <summary>
/// Brings small files into memory together with the files that follow them in the list. At first
/// these are files of the same folder in the same volume, because the directory of that volume is
/// read anyway. While files are read in the order of the list, more and more files follow, from all
/// volumes, ahead of the reader. Safe for concurrent use.
/// </summary>
internal sealed class NeighborReads(BlockSource source)
{
    /// <summary>Longer files are read by themselves.</summary>
    public const long SmallBytes = 1 << 20;

    private const long FirstBytes = 256 << 10;
    private const int MostEntries = 4096;
    private const int MostReaders = 8;

    // A reader may leave out some files and still reads in order.
    private const int LeftOutEntries = 64;

    private readonly VersionContent version = source.Version;
    private readonly Lock gate = new();
    private readonly List<Reader> readers = [];

    /// <summary>
    /// Brings the blocks of a small file, and starts to bring more if its reader will ask for them.
    /// </summary>
    public Task BringAsync(EntryId entry, CancellationToken cancellationToken)
    {
        // 1. Find the reader: an earlier window that ends shortly before this entry, or includes
        //    it.
        // 2. If the file is in memory, do nothing until the last quarter of the window.
        // 3. Otherwise bring a window: a short one of this folder for a new reader, one of twice
        //    the length for a known one.
        BlockId[] own = [.. BlocksOf(entry)];
        bool isHere = own.All(source.Has);
        BlockId[] wanted;
        lock (gate)
        {
            int at = readers.FindIndex(reader => entry >= reader.First && entry <= reader.Next + LeftOutEntries);
            if (isHere && (at < 0 || entry < readers[at].LastQuarter))
            {
                return Task.CompletedTask;
            }

            long bytes = Math.Min(at < 0 ? FirstBytes : 2 * readers[at].Bytes, source.WindowBytes);
            int from = at >= 0 && isHere ? readers[at].Next : entry;
            wanted = Window(from, bytes, at < 0 ? [.. own.Select(source.VolumeOf)] : null, out int next);
            if (at >= 0)
            {
                readers.RemoveAt(at);
            }
            else if (readers.Count == MostReaders)
            {
                // Each window puts its reader at the end, so the first one is the least recently
                // used.
                readers.RemoveAt(0);
            }

            readers.Add(new Reader(from, next, bytes));
        }

        Task fetch = wanted.Length > 0 ? source.FetchAhead(wanted) : Task.CompletedTask;
        return isHere ? Task.CompletedTask : fetch.WaitAsync(cancellationToken);
    }

    /// <summary>The blocks of entries from one on.</summary>
    /// <param name="bytes">About how many bytes.</param>
    /// <param name="volumes">The volumes that they may come from, and then the entries are of one
    /// folder: others lie elsewhere. Null for all.</param>
    private BlockId[] Window(int from, long bytes, HashSet<VolumeId>? volumes, out int next)
    {
        List<BlockId> blocks = [];
        long taken = 0;
        int end = Math.Min(version.Entries.Count, from + MostEntries);
        for (
            next = from;
            next < end && (next == from || taken < bytes) && (volumes is null || IsOfFolder(next, from));
            next++
        )
        {
            foreach (BlockId block in BlocksOf(new EntryId(next)))
            {
                if (volumes?.Contains(source.VolumeOf(block)) != false)
                {
                    blocks.Add(block);
                    taken += version.Blocks.SizeOf(block);
                }
            }
        }

        return [.. blocks];
    }

    private bool IsOfFolder(int entry, int other) =>
        version.Entries[new EntryId(entry)].Folder == version.Entries[new EntryId(other)].Folder;

    private IEnumerable<BlockId> BlocksOf(EntryId entry)
    {
        ContentBlocks blocks = new(version, version.IsFile(entry) ? version.Entries[entry].Content : ContentId.None);
        return blocks.SizeBytes > SmallBytes || source.Refused.ContainsKey(entry)
            ? []
            : blocks.Range(0, blocks.Count).Where(block => !block.IsNone);
    }

    /// <summary>A caller that reads small files in order.</summary>
    /// <param name="First">The first entry of the last window.</param>
    private readonly record struct Reader(int First, int Next, long Bytes)
    {
        /// <summary>
        /// Reading it, or a later one, starts the next window: a caller that reads some files of a
        /// folder does not pay for other folders.
        /// </summary>
        public int LastQuarter => First + Math.Max(1, (Next - First) / 4 * 3);
    }
}
