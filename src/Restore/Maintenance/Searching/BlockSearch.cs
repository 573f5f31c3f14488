using System.Collections.Concurrent;
using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Memory;
using Restore.Volumes;

namespace Restore.Maintenance.Searching;

/// <summary>
/// Finds out which volumes have which blocks, and reads the missing blocklists: from index volumes; where they say nothing, from block volumes.
/// </summary>
internal sealed class BlockSearch(MaintenanceContext context, VolumeLoader loader, IReferences tables, IssueLog issues, CancellationToken cancellationToken)
{
    // A block takes more bytes of its volume than this, for its name alone. The free ones are for volumes that were cut later.
    private const int BytesPerBlock = 32;
    private const long FreeBlocks = 1 << 17;

    private const long MaxBytesInFlight = 256 << 20;

    // A person looks at a few; an index volume can name any number.
    private const int MaxAbsent = 10_000;

    private readonly Lock gate = new();
    private readonly VolumeSet volumes = context.Volumes;
    private readonly HashSet<(VolumeId Index, VolumeId Blocks)> links = [];
    private readonly HashSet<Volume> wrongLengths = [];
    private readonly HashSet<string> absent = new(StringComparer.Ordinal);
    private long blocksLeft = FreeBlocks + (context.Volumes.Blocks.Sum(volume => volume.SizeBytes) / BytesPerBlock);
    private readonly HashSet<VolumeId> unreadable = [];
    private readonly HashSet<VolumeId> listedInPart = [];
    private readonly HashSet<VolumeId> ofAbsentVolumes = [];

    /// <summary>Which index volumes describe which block volumes.</summary>
    public IEnumerable<(VolumeId Index, VolumeId Blocks)> Links => links.Order(Comparer<(VolumeId Index, VolumeId Blocks)>.Create(
        (left, right) => (left.Index.Value, left.Blocks.Value).CompareTo((right.Index.Value, right.Blocks.Value))));

    /// <summary>The hashes of block volumes, as index volumes give them.</summary>
    public ConcurrentDictionary<VolumeId, byte[]> VolumeHashes { get; } = [];

    /// <summary>The block volumes of which no index volume gives the length that they have.</summary>
    public IEnumerable<Volume> WrongLengths => wrongLengths.Where(volume => !VolumeHashes.ContainsKey(volume.Id)).OrderBy(volume => volume.Id.Value);

    /// <summary>Names of block volumes that an index volume describes and the store does not have.</summary>
    public IEnumerable<string> Absent => absent.Order(StringComparer.Ordinal);

    /// <summary>The block volumes that no index volume describes.</summary>
    public Volume[] Undescribed { get; private set; } = [];

    /// <summary>Block volumes that no index volume describes and that cannot be read: nobody knows what they have.</summary>
    public IReadOnlySet<VolumeId> Unreadable => unreadable;

    /// <summary>Block volumes that are damaged or cut, so that they can have more blocks than were found.</summary>
    public IReadOnlyCollection<VolumeId> ListedInPart => listedInPart;

    /// <summary>Index volumes that describe only block volumes that are not there.</summary>
    public IEnumerable<VolumeId> Orphans
    {
        get
        {
            HashSet<VolumeId> linked = [.. links.Select(link => link.Index)];
            return ofAbsentVolumes.Where(index => !linked.Contains(index)).OrderBy(index => index.Value);
        }
    }

    /// <summary>Whether volumes list more blocks than volumes of their length can have, so that not all were looked at.</summary>
    public bool IsTooMuch { get; private set; }

    /// <summary>Whether block volumes that no index volume describes are read whole, for their hashes; if not, only their directories are.</summary>
    public bool HashesVolumes { get; init; } = true;

    public async Task RunAsync(ProgressMeter progress)
    {
        progress.Begin(RestorePhase.LocatingBlocks, volumes: volumes.Indexes.Count);
        await ReadIndexesAsync(progress).ConfigureAwait(false);
        HashSet<VolumeId> described = [.. links.Select(link => link.Blocks)];
        Undescribed = [.. volumes.Blocks.Where(volume => !volume.IsMissing && !described.Contains(volume.Id))];
        await ReadDirectoriesAsync(Undescribed, isDescribed: false).ConfigureAwait(false);
        await FetchBlocklistsAsync().ConfigureAwait(false);
        if (tables.Blocks.Lost > 0)
        {
            await ReadDirectoriesAsync([.. volumes.Blocks.Where(volume => described.Contains(volume.Id))], isDescribed: true).ConfigureAwait(false);
            await FetchBlocklistsAsync().ConfigureAwait(false);
        }
    }

    private async Task ReadIndexesAsync(ProgressMeter progress)
    {
        int done = 0;
        IndexReading reading = new(loader, volumes, tables.Layout, context.WholeVolumes);
        await Parallel.ForEachAsync(volumes.Indexes, Parallelism(volumes.Indexes, context.ReadsOfSmallVolumes), async (volume, token) =>
        {
            try
            {
                using IndexContents contents = await reading.ReadAsync(volume, part => Take(volume, part), int.MaxValue, IsPending, token)
                    .ConfigureAwait(false);
                contents.Defects.ForEach(defect => Warn(volume, $"A part of the index volume cannot be used: {defect}"));
                Take(volume, contents);
            }
            catch (Exception failure) when (VolumeLoader.IsLoss(failure))
            {
                Warn(volume, $"The index volume cannot be used: {failure.Reason()}; the block volume that it should describe is read instead");
            }

            progress.Volumes(Interlocked.Increment(ref done), volumes.Indexes.Count);
        }).ConfigureAwait(false);
    }

    /// <summary>So many volumes at once as there are cores or requests, but few large ones: each is in memory as a whole.</summary>
    private ParallelOptions Parallelism(IEnumerable<Volume> some, int most)
    {
        long largestBytes = some.Select(volume => volume.SizeBytes).Append(1).Max();
        return new ParallelOptions
        {
            MaxDegreeOfParallelism = (int)Math.Clamp(MaxBytesInFlight / largestBytes, 1, most),
            CancellationToken = cancellationToken,
        };
    }

    private bool IsPending(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        lock (gate)
        {
            return tables.Pending.Contains(tables.Blocks.Find(hash, sizeBytes));
        }
    }

    private void Take(Volume index, IndexContents contents)
    {
        lock (gate)
        {
            if (contents.AbsentVolumes.Count > 0)
            {
                ofAbsentVolumes.Add(index.Id);
            }

            foreach (ListedBlocks listed in contents.Volumes)
            {
                links.Add((index.Id, listed.Volume));
                Locate(listed, CopyOrder.OfIndex(index));
            }

            foreach ((byte[] hash, PooledBuffer content) in contents.Blocklists)
            {
                tables.Accept(tables.Blocks.Find(hash, content.Length), content.Span);
            }

            foreach ((Volume volume, Format.IndexVolumeInfo info) in contents.Descriptions)
            {
                if (info.VolumeHash is byte[] hash && (info.VolumeSizeBytes is null || info.VolumeSizeBytes == volume.SizeBytes))
                {
                    VolumeHashes.TryAdd(volume.Id, hash);
                }
                else if (info.VolumeSizeBytes is long length && length != volume.SizeBytes)
                {
                    wrongLengths.Add(volume);
                }
            }

            contents.Descriptions.Clear();
            absent.UnionWith(contents.AbsentVolumes.Select(volume => volume.Name).Take(MaxAbsent - absent.Count));
        }
    }

    /// <summary>Takes what a volume has, as far as volumes of this length can have it: a backup of some KiB can list any number of blocks.</summary>
    private void Locate(ListedBlocks listed, int order)
    {
        if (!tables.Blocks.TryLocate(listed, order, ref blocksLeft) && !IsTooMuch)
        {
            IsTooMuch = true;
            issues.Add(new RestoreIssue(
                IssueKind.Damaged, context.Location, "Its volumes list more blocks than volumes of their length can have, so not all of them were looked at"));
        }
    }

    /// <summary>Reads which blocks volumes have: those that no index describes whole, since no index has their hash either.</summary>
    private async Task ReadDirectoriesAsync(Volume[] some, bool isDescribed)
    {
        DirectoryReading reading = new(loader, tables.Layout.BlockHash, HashesVolumes && !isDescribed ? context.WholeVolumes : context.Ranges);
        await Parallel.ForEachAsync(some, Parallelism(some, Environment.ProcessorCount), async (volume, token) =>
        {
            try
            {
                using ListedBlocks listed = await reading.ReadAsync(volume, token).ConfigureAwait(false);
                lock (gate)
                {
                    Locate(listed, CopyOrder.OfDirectory(volume));
                    if (listed.IsPartial)
                    {
                        listedInPart.Add(volume.Id);
                    }
                }

                if (!isDescribed)
                {
                    Warn(volume, "No index volume describes this block volume; it was read instead");
                }
            }
            catch (Exception failure) when (VolumeLoader.IsLoss(failure))
            {
                Warn(volume, $"The block volume cannot be read: {failure.Reason()}");
                lock (gate)
                {
                    unreadable.Add(volume.Id);
                }
            }
        }).ConfigureAwait(false);
    }

    /// <summary>Reads missing blocklists from block volumes, as long as there is a copy that was not tried.</summary>
    private async Task FetchBlocklistsAsync()
    {
        HashSet<(int Block, VolumeId Volume)> tried = [];
        while (tables.Pending.Count > 0)
        {
            (int Block, VolumeId Volume)[] next =
            [
                .. tables.Pending.Blocks.Select(block => (Block: block, Volume: tables.Blocks.VolumeOf(block)))
                    .Where(copy => !copy.Volume.IsNone)
                    .Concat(tables.Blocks.Duplicates().Where(copy => tables.Pending.Contains(copy.Block)))
                    .Where(copy => !tried.Contains(copy) && tables.Blocks.SizeOf(copy.Block) <= context.MaxBlockBytes)
                    .DistinctBy(copy => copy.Block)
                    .OrderBy(copy => copy.Volume.Value).ThenBy(copy => copy.Block),
            ];
            if (next.Length == 0)
            {
                return;
            }

            tried.UnionWith(next);
            BlockTable table = new(tables.Layout.BlockHash);
            Array.ForEach(next, copy => table.GetOrAdd(tables.Blocks.HashOf(copy.Block), tables.Blocks.SizeOf(copy.Block)));
            table.Freeze();
            Locations locations = new([.. next.Select(copy => copy.Volume)], [], [], []);
            await context.Fetch(
                FetchList.Create(table, locations, volumes.All, BlockId.UpTo(next.Length).AsEnumerable()),
                (block, bytes) => tables.Accept(next[block].Block, bytes.Span),
                cancellationToken).ConfigureAwait(false);
        }
    }

    private void Warn(Volume volume, string what) => issues.Add(new RestoreIssue(IssueKind.Warning, volume.FileName, what));
}
