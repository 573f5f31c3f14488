using Restore.Format;
using Restore.Memory;
using Restore.Volumes;

namespace Restore.Catalog.Locating;

/// <summary>
/// The shared state of the sources of one search: the index of blocks, lists kept for later blocklists, and reported issues. One lock guards all of it.
/// </summary>
/// <param name="index">The blocks; from now on used by this search alone.</param>
/// <param name="issues">Receives what the sources report.</param>
/// <param name="maxKeptBytes">Memory limit for the kept lists.</param>
internal sealed class SearchState(BlockIndex index, IssueLog issues, long maxKeptBytes = SearchState.MaxKeptBytes) : IDisposable
{
    /// <summary>Blocks that an index lists and nothing needs yet take 36 bytes each: 3.7 million of them.</summary>
    public const long MaxKeptBytes = 128 << 20;

    private readonly Lock gate = new();
    private readonly KeptLists kept = new(maxKeptBytes);
    private readonly HashSet<(string Path, string Reason)> reported = [];
    private bool isSurveyed;

    /// <summary>What the volumes say about each other.</summary>
    public VolumeSurvey Survey { get; } = new(index.Layout, index.IsOfAllBlocks);

    /// <summary>Block size and hash algorithms of the version.</summary>
    public BlockLayout Layout => index.Layout;

    /// <summary>Whether there is nothing left to find. A search for all blocks reads all index volumes, and the volumes that none describes.</summary>
    public bool IsSettled => Ask(index => (isSurveyed || !index.IsOfAllBlocks) && index.IsSettled);

    /// <summary>Reads from the index.</summary>
    public T Ask<T>(Func<BlockIndex, T> question)
    {
        lock (gate)
        {
            return question(index);
        }
    }

    /// <summary>Changes the index.</summary>
    public void Update(Action<BlockIndex> change)
    {
        lock (gate)
        {
            change(index);
        }
    }

    /// <summary>The index volumes and the block volumes that none of them describes have been read.</summary>
    public void EndSurvey() => Update(_ => isSurveyed = true);

    public bool IsMissingBlocklist(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        lock (gate)
        {
            return index.IsMissingBlocklist(hash, sizeBytes);
        }
    }

    /// <summary>Adds the contents of an index volume.</summary>
    /// <returns>As <see cref="Offer"/>.</returns>
    public int? Take(Volume volume, IndexContents contents)
    {
        lock (gate)
        {
            foreach ((byte[] hash, PooledBuffer content) in contents.Blocklists)
            {
                index.AcceptBlocklist(index.Find(hash, content.Length), content.Span);
            }

            contents.Volumes.ForEach(blocks => blocks.Order = CopyOrder.OfIndex(volume));
            Survey.Take(volume, contents);
            int? forgotten = Offer(contents.Volumes);
            if (!index.IsOfAllBlocks)
            {
                kept.KeepAbsent(contents.AbsentVolumes);
            }

            return forgotten;
        }
    }

    /// <summary>Takes the locations of needed blocks from lists, and keeps the rest while blocklists are missing.</summary>
    /// <param name="lists">The lists; kept ones are removed.</param>
    /// <returns>
    /// If the lists did not fit into memory: the <see cref="BlockIndex.Revision"/> at that time. They are worth reading again when it has grown.
    /// </returns>
    public int? Offer(List<ListedBlocks> lists)
    {
        lock (gate)
        {
            lists.ForEach(blocks => blocks.OfferTo(index));
            return index.MissingBlocklists == 0 || kept.TryKeep(lists) ? null : index.Revision;
        }
    }

    /// <summary>Offers the kept lists again, after more blocks became needed.</summary>
    public void OfferKept() => Update(kept.OfferTo);

    /// <summary>Reports a defect of a volume, once.</summary>
    public void Report(string path, string reason, IssueCode code = IssueCode.None)
    {
        lock (gate)
        {
            if (reported.Add((path, reason)))
            {
                issues.Add(new RestoreIssue(IssueKind.Warning, path, reason) { Code = code });
            }
        }
    }

    /// <summary>Ends the search, freezes the blocks, and returns the locations.</summary>
    public Locations Complete()
    {
        lock (gate)
        {
            kept.NoteLost(index);
            index.Blocks.Freeze();
            return index.Locations.Freeze(index.Count);
        }
    }

    public void Dispose() => kept.Dispose();
}
