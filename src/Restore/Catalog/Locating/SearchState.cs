namespace Restore.Catalog.Locating;

/// <summary>
/// The shared state of the sources of one search: the index of blocks, lists kept for later
/// blocklists, and reported issues. One lock guards all of it.
/// </summary>
/// <param name="index">The blocks; from now on used by this search alone.</param>
/// <param name="maxKeptBytes">Memory limit for the kept lists.</param>
internal sealed class SearchState(BlockIndex index, IssueLog issues, long maxKeptBytes = SearchState.MaxKeptBytes)
    : IDisposable
{
    /// <summary>
    /// Blocks that an index lists and nothing needs yet take 36 bytes each: 3.7 million of them.
    /// </summary>
    public const long MaxKeptBytes = 128 << 20;

    private readonly Lock gate = new();
    private readonly KeptLists kept = new(maxKeptBytes);
    private readonly HashSet<(string Path, string Reason)> reported = [];
    private bool isSurveyed;

    public VolumeSurvey Survey { get; } = new(index.Layout, index.IsOfAllBlocks);

    public BlockLayout Layout => index.Layout;

    /// <summary>
    /// Whether there is nothing left to find. A search for all blocks reads all index volumes, and
    /// the volumes that none describes.
    /// </summary>
    public bool IsSettled => Ask(index => (isSurveyed || !index.IsOfAllBlocks) && index.IsSettled);

    public T Ask<T>(Func<BlockIndex, T> question)
    {
        lock (gate)
        {
            return question(index);
        }
    }

    public void Update(Action<BlockIndex> change)
    {
        lock (gate)
        {
            change(index);
        }
    }

    /// <summary>
    /// The index volumes and the block volumes that none of them describes have been read.
    /// </summary>
    public void EndSurvey() => Update(_ => isSurveyed = true);

    /// <summary>Whether a blocklist that an index volume has a copy of is needed.</summary>
    public bool IsMissingBlocklist(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        lock (gate)
        {
            index.NoteCopy(hash);
            return index.IsMissingBlocklist(hash, sizeBytes);
        }
    }

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

    /// <summary>
    /// Takes the locations of needed blocks from lists, and keeps the rest while blocklists are
    /// missing.
    /// </summary>
    public int? Offer(List<ListedBlocks> lists)
    {
        lock (gate)
        {
            lists.ForEach(blocks => blocks.OfferTo(index));

            // The revision says when the lists were dropped. A volume is worth reading again only
            // after a further blocklist made more blocks needed.
            return index.MissingBlocklists == 0 || kept.TryKeep(lists) ? null : index.Revision;
        }
    }

    public void OfferKept() => Update(kept.OfferTo);

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

    public Locations Complete()
    {
        lock (gate)
        {
            kept.NoteLost(index);
            index.Blocks.Freeze();
            return index.Locations.Freeze(index.Count, index.IsSettled ? [] : Survey.Unread());
        }
    }

    public void Dispose() => kept.Dispose();
}
