using Restore.Format;
using Restore.Memory;
using Restore.Volumes;

namespace Restore.Catalog.Locating;

/// <summary>
/// The shared state of the sources of one search: needs, locations, lists kept for later blocklists, and reported issues.
/// One lock guards all of it.
/// </summary>
/// <param name="needs">The needs; from now on used by this search alone.</param>
/// <param name="issues">Receives what the sources report.</param>
/// <param name="maxKeptBytes">Memory limit for the kept lists.</param>
internal sealed class SearchState(BlockNeeds needs, IssueLog issues, long maxKeptBytes = SearchState.MaxKeptBytes) : IDisposable
{
    /// <summary>Blocks that an index lists and nothing needs yet take 36 bytes each: 3.7 million of them.</summary>
    public const long MaxKeptBytes = 128 << 20;

    private readonly Lock gate = new();
    private readonly KeptLists kept = new(maxKeptBytes);
    private readonly HashSet<VolumeId> described = [];
    private readonly HashSet<(string Path, string Reason)> reported = [];
    private int indexesOfThisLayout;
    private int indexesOfAnotherLayout;

    /// <summary>Block size and hash algorithms of the version.</summary>
    public BlockLayout Layout { get; } = needs.Content.Layout;

    /// <summary>Whether every needed block is known and located.</summary>
    public bool IsSettled => Ask(needs => needs.IsSettled);

    /// <summary>Whether there are index volumes, and the manifest of every one contradicts the version's.</summary>
    public bool IsLayoutContradicted => Ask(_ => indexesOfAnotherLayout > 0 && indexesOfThisLayout == 0);

    /// <summary>Reads from the needs.</summary>
    public T Ask<T>(Func<BlockNeeds, T> question)
    {
        lock (gate)
        {
            return question(needs);
        }
    }

    /// <summary>Changes the needs.</summary>
    public void Update(Action<BlockNeeds> change)
    {
        lock (gate)
        {
            change(needs);
        }
    }

    public bool IsMissingBlocklist(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        lock (gate)
        {
            return needs.IsMissingBlocklist(hash, sizeBytes);
        }
    }

    /// <summary>Adds the contents of an index volume.</summary>
    /// <returns>As <see cref="Offer"/>.</returns>
    public int? Take(Volume index, IndexContents contents)
    {
        lock (gate)
        {
            indexesOfThisLayout += contents.Layout == Layout ? 1 : 0;
            indexesOfAnotherLayout += contents.Layout is not null && contents.Layout != Layout ? 1 : 0;
            foreach ((byte[] hash, PooledBuffer content) in contents.Blocklists)
            {
                needs.AcceptBlocklist(needs.Content.Blocks.Find(hash, content.Length), content.Span);
            }

            contents.Volumes.ForEach(blocks => blocks.Order = CopyOrder.OfIndex(index));
            described.UnionWith(contents.Volumes.Select(blocks => blocks.Volume));
            int? forgotten = Offer(contents.Volumes);
            kept.KeepAbsent(contents.AbsentVolumes);
            return forgotten;
        }
    }

    /// <summary>Takes the locations of needed blocks from lists, and keeps the rest while blocklists are missing.</summary>
    /// <param name="lists">The lists; kept ones are removed.</param>
    /// <returns>
    /// If the lists did not fit into memory: the <see cref="BlockNeeds.Revision"/> at that time. They are worth reading again when it has grown.
    /// </returns>
    public int? Offer(List<ListedBlocks> lists)
    {
        lock (gate)
        {
            lists.ForEach(blocks => blocks.OfferTo(needs));
            return needs.MissingBlocklists == 0 || kept.TryKeep(lists) ? null : needs.Revision;
        }
    }

    /// <summary>Offers the kept lists again, after more blocks became needed.</summary>
    public void OfferKept() => Update(kept.OfferTo);

    /// <summary>Whether an index volume describes a block volume.</summary>
    public bool IsDescribed(VolumeId volume)
    {
        lock (gate)
        {
            return described.Contains(volume);
        }
    }

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

    /// <summary>Ends the search, freezes the blocks of the version, and returns the locations.</summary>
    public Locations Complete()
    {
        lock (gate)
        {
            kept.NoteLost(needs);
            needs.Content.Blocks.Freeze();
            return needs.Locations.Freeze(needs.Content.Blocks.Count);
        }
    }

    public void Dispose() => kept.Dispose();
}
