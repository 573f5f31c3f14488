using System.Collections.Concurrent;
using Restore.Planning.Paths;
using Restore.Planning.Saving;
using Restore.Planning.Scanning;

namespace Restore.Planning;

/// <summary>
/// Blocks that a local file has at the offsets where the restored file needs them.
/// </summary>
/// <param name="IsOriginal">Whether the path is an original place (relative to the root of the file
/// system) or a place at the target.</param>
internal sealed record LocalBlocks(bool IsOriginal, string Path, BitSet Blocks);

/// <summary>
/// The decisions about all entries of a plan. A <see cref="Builder"/> makes them; then nothing
/// changes them.
/// </summary>
internal sealed class EntryPlans
{
    private readonly EntryAction[] actions;
    private readonly BitSet metadataIsRight;
    private readonly Dictionary<EntryId, BitSet> inPlace;

    // Two processes add to it while the plan is made: the lister for names that differ only by
    // case, the scan for files beside files of the user.
    private readonly ConcurrentDictionary<EntryId, string> renamed;
    private readonly Dictionary<EntryId, LocalBlocks> local;
    private readonly Dictionary<EntryId, string> partials;
    private readonly IReadOnlyDictionary<EntryId, BitSet>? shares;

    // By entry: the stamp of a file that is right.
    private long[]? stamps;

    private EntryPlans(
        VersionContent content,
        PathMap paths,
        EntryAction[] actions,
        BitSet metadataIsRight,
        IReadOnlyDictionary<EntryId, BitSet>? shares
    )
    {
        Content = content;
        Paths = paths;
        this.actions = actions;
        this.metadataIsRight = metadataIsRight;
        this.shares = shares;
        inPlace = [];
        renamed = [];
        local = [];
        partials = [];
    }

    private EntryPlans(
        EntryPlans earlier,
        Dictionary<EntryId, BitSet> inPlace,
        IReadOnlyDictionary<EntryId, BitSet>? shares
    )
    {
        (Content, Paths, actions, metadataIsRight) = (
            earlier.Content,
            earlier.Paths,
            earlier.actions,
            earlier.metadataIsRight
        );
        (renamed, local, partials, stamps) = (earlier.renamed, earlier.local, earlier.partials, earlier.stamps);
        (this.inPlace, this.shares, Order) = (inPlace, shares, earlier.Order);
    }

    public VersionContent Content { get; }

    public PathMap Paths { get; }

    /// <summary>The order in which entries come; null for the order of the list.</summary>
    public EntryOrder? Order { get; private set; }

    public int Count => actions.Length;

    public EntryAction this[EntryId entry] => actions[entry];

    public static EntryPlans Load(VersionContent content, PathMap paths, BinaryReader reader, PlanHead head)
    {
        Builder builder = new(content, paths);
        reader.BaseStream.ReadExactly(MemoryMarshal.AsBytes(builder.Decided.actions.AsSpan()));
        builder.Decided.metadataIsRight.Load(reader);
        if (reader.ReadBoolean())
        {
            builder.Decided.stamps = new long[builder.Count];
            reader.BaseStream.ReadExactly(MemoryMarshal.AsBytes(builder.Decided.stamps.AsSpan()));
        }

        foreach (SavedName name in head.Renamed)
        {
            builder.Decided.renamed[new EntryId(name.Entry)] = name.Path;
        }

        foreach (SavedName name in head.Partials)
        {
            builder.SetPartial(new EntryId(name.Entry), name.Path);
        }

        builder.SetOrder(head.First.Count == 0 ? null : new EntryOrder(head.First, builder.Count));

        foreach (SavedBlocks blocks in head.PresentBlocks)
        {
            builder.SetPresent(
                new EntryId(blocks.Entry),
                BitSet.Of(blocks.Count, blocks.Words),
                blocks.Path,
                blocks.IsOriginal
            );
        }

        return builder.Build();
    }

    /// <summary>
    /// Blocks of an entry that are copied from a local file; null if there are none.
    /// </summary>
    public LocalBlocks? LocalBlocksOf(EntryId entry) => local.GetValueOrDefault(entry);

    public string TargetPath(EntryId entry) => renamed.GetValueOrDefault(entry) ?? OwnPath(entry);

    /// <summary>
    /// The target path of an entry, and its own path too if it goes beside a file there: an
    /// interrupted run may have begun it at either.
    /// </summary>
    public string[] PathsOf(EntryId entry) =>
        renamed.TryGetValue(entry, out string? beside) ? [beside, OwnPath(entry)] : [OwnPath(entry)];

    /// <summary>The target path of an entry, whatever is there.</summary>
    public string OwnPath(EntryId entry)
    {
        byte[] buffer = [];
        byte[] original = [];
        Paths.Map(Content.PathOf(entry, ref original), Content.Entries[entry].Kind, ref buffer, out int length);
        return Encoding.UTF8.GetString(buffer, 0, length);
    }

    /// <summary>
    /// The stamp of a file that was right when the plan was made
    /// (<see cref="TargetStatus.Stamp"/>); 0 for others.
    /// </summary>
    public long StampOf(EntryId entry) => stamps?[entry] ?? 0;

    /// <summary>
    /// Blocks of the content that are at the target already, or null if there are none.
    /// </summary>
    public BitSet? InPlace(EntryId entry) => inPlace.GetValueOrDefault(entry);

    /// <summary>
    /// The partial file with right blocks that an interrupted run left of an entry, and that is
    /// continued; null if the run left no such file.
    /// </summary>
    public string? PartialOf(EntryId entry) => partials.GetValueOrDefault(entry);

    public HashSet<string> PartialPaths() => [.. partials.Values];

    /// <summary>
    /// Whether the file that is written is there already: the one at the path, or a partial one.
    /// </summary>
    public bool IsBegun(EntryId entry) => actions[entry] == EntryAction.Patch || partials.ContainsKey(entry);

    /// <summary>
    /// The same decisions after a pass: more blocks of some entries are at the target.
    /// </summary>
    public EntryPlans WithInPlace(Dictionary<EntryId, BitSet> more)
    {
        Dictionary<EntryId, BitSet> all = new(inPlace);
        foreach ((EntryId entry, BitSet blocks) in more)
        {
            // The newer set includes the earlier one: what was in place before a pass needs no
            // fetch in it.
            all[entry] = blocks;
        }

        return new EntryPlans(this, all, shares);
    }

    /// <summary>The same decisions for a part of a split plan.</summary>
    /// <param name="own">For each file that several parts write: the blocks that this part
    /// brings.</param>
    public EntryPlans WithShares(IReadOnlyDictionary<EntryId, BitSet> own) =>
        new(this, inPlace, own.Count == 0 ? null : own);

    /// <summary>
    /// The same decisions, except for some entries that take theirs from another look at the
    /// target.
    /// </summary>
    public EntryPlans With(EntryPlans looked, Predicate<EntryId> isLookedAt)
    {
        EntryPlans merged = new(Content, Paths, new EntryAction[Count], new BitSet(Count), shares)
        {
            stamps = stamps is null && looked.stamps is null ? null : new long[Count],
            Order = Order,
        };
        foreach (EntryId entry in EntryId.UpTo(Count))
        {
            EntryPlans from = isLookedAt(entry) ? looked : this;
            merged.actions[entry] = from.actions[entry];
            if (merged.stamps is { } all)
            {
                all[entry] = from.StampOf(entry);
            }

            merged.metadataIsRight[entry] = from.metadataIsRight[entry];
            Copy(from.inPlace, merged.inPlace, entry);
            Copy(from.renamed, merged.renamed, entry);
            Copy(from.local, merged.local, entry);
            Copy(from.partials, merged.partials, entry);
        }

        return merged;
    }

    /// <summary>
    /// The blocks of a file that this part of a split plan brings; null if the file is not shared
    /// with other parts.
    /// </summary>
    public BitSet? ShareOf(EntryId entry) => shares?.GetValueOrDefault(entry);

    /// <summary>Whether other parts of a split plan write the file too.</summary>
    public bool IsShared(EntryId entry) => shares?.ContainsKey(entry) == true;

    /// <summary>
    /// Writes the tables; <see cref="SavedNames"/>, <see cref="SavedPartials"/> and
    /// <see cref="SavedBlocks"/> have the rest.
    /// </summary>
    public void Save(BinaryWriter writer)
    {
        writer.Write(MemoryMarshal.AsBytes(actions.AsSpan()));
        metadataIsRight.Save(writer);
        writer.Write(stamps is not null);
        writer.Write(MemoryMarshal.AsBytes(stamps.AsSpan()));
    }

    public IReadOnlyList<SavedName> SavedNames() => Saved(renamed);

    public IReadOnlyList<SavedName> SavedPartials() => Saved(partials);

    public IReadOnlyList<SavedBlocks> SavedBlocks() =>
        [
            .. inPlace.Select(blocks => new SavedBlocks(
                blocks.Key,
                null,
                false,
                blocks.Value.Length,
                blocks.Value.ToWords()
            )),
            .. local.Select(file => new SavedBlocks(
                file.Key,
                file.Value.Path,
                file.Value.IsOriginal,
                file.Value.Blocks.Length,
                file.Value.Blocks.ToWords()
            )),
        ];

    private static IReadOnlyList<SavedName> Saved(IReadOnlyDictionary<EntryId, string> paths) =>
        [.. paths.Select(path => new SavedName(path.Key, path.Value))];

    private static void Copy<T>(IReadOnlyDictionary<EntryId, T> from, IDictionary<EntryId, T> to, EntryId entry)
    {
        if (from.TryGetValue(entry, out T? value))
        {
            to[entry] = value;
        }
    }

    public bool IsMetadataRight(EntryId entry) => metadataIsRight[entry];

    internal sealed class Builder(VersionContent content, PathMap paths)
    {
        private EntryPlans? plans = new(
            content,
            paths,
            new EntryAction[content.Entries.Count],
            new BitSet(content.Entries.Count),
            shares: null
        );

        public VersionContent Content => content;

        public PathMap Paths => paths;

        public int Count => content.Entries.Count;

        public EntryPlans Decided => plans ?? throw new InvalidOperationException("The decisions are final");

        public EntryAction this[EntryId entry]
        {
            get => Decided.actions[entry];
            set => Decided.actions[entry] = value;
        }

        public void Apply(ScanResult result)
        {
            this[result.Entry] = result.Action;
            if (result.IsMetadataRight)
            {
                Decided.metadataIsRight[result.Entry] = true;
            }

            if (result.Stamp != 0)
            {
                // Nothing has a stamp in a restore into an empty folder, so the array is made for
                // the first.
                Decided.stamps ??= new long[Count];
                Decided.stamps[result.Entry] = result.Stamp;
            }

            if (result.Renamed is not null)
            {
                Decided.renamed[result.Entry] = result.Renamed;
            }
        }

        /// <summary>
        /// Stores which blocks of an entry are present: in the file that is written (no path), or
        /// in another local file.
        /// </summary>
        public void SetPresent(EntryId entry, BitSet blocks, string? path, bool isOriginal)
        {
            if (path is null)
            {
                Decided.inPlace[entry] = blocks;
            }
            else
            {
                Decided.local[entry] = new LocalBlocks(isOriginal, path, blocks);
            }
        }

        public void SetOrder(EntryOrder? order) => Decided.Order = order;

        public void SetPartial(EntryId entry, string path) => Decided.partials[entry] = path;

        /// <summary>Changes a file that was to be replaced in place.</summary>
        public void PatchInPlace(EntryId entry, BitSet blocks)
        {
            this[entry] = EntryAction.Patch;
            Decided.local.Remove(entry);
            Decided.partials.Remove(entry);
            Decided.inPlace[entry] = blocks;
        }

        /// <summary>Freezes the decisions; the builder cannot be used afterwards.</summary>
        public EntryPlans Build()
        {
            EntryPlans built = Decided;
            plans = null;
            return built;
        }
    }
}
