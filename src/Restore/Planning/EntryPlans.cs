using System.Runtime.InteropServices;
using System.Text;
using Restore.Catalog;
using Restore.Memory;
using Restore.Planning.Paths;
using Restore.Planning.Saving;
using Restore.Planning.Scanning;

namespace Restore.Planning;

/// <summary>What to do with an entry.</summary>
internal enum EntryAction : byte
{
    /// <summary>Nothing: the entry was refused.</summary>
    None,

    /// <summary>Make it under a partial name, and give it the path, which is free, once it is verified.</summary>
    Create,

    /// <summary>Make it under a partial name, and rename it over what is at the path once it is verified.</summary>
    Replace,

    /// <summary>Write the wrong blocks of the file at the path.</summary>
    Patch,

    /// <summary>The content is right already; only metadata is applied.</summary>
    Keep,
}

/// <summary>Blocks that a local file has at the offsets where the restored file needs them.</summary>
/// <param name="IsOriginal">Whether the path is that of the original place (relative to the root of the file system), or one at the target.</param>
/// <param name="Path">Its path there.</param>
/// <param name="Blocks">The blocks that the file has.</param>
internal sealed record LocalBlocks(bool IsOriginal, string Path, BitSet Blocks);

/// <summary>The decisions about all entries of a plan. Planning makes them; nothing changes them once they are part of a plan.</summary>
internal sealed class EntryPlans
{
    private readonly EntryAction[] actions;
    private readonly BitSet metadataIsRight;
    private readonly Dictionary<EntryId, BitSet> inPlace;
    private readonly IReadOnlyDictionary<EntryId, BitSet>? shares;

    // By entry: the stamp of a file that is right.
    private long[]? stamps;

    public EntryPlans(VersionContent content, PathMap paths)
    {
        Content = content;
        Paths = paths;
        actions = new EntryAction[content.Entries.Count];
        metadataIsRight = new BitSet(content.Entries.Count);
        inPlace = [];
    }

    private EntryPlans(
        VersionContent content,
        PathMap paths,
        EntryAction[] actions,
        BitSet metadataIsRight,
        Dictionary<EntryId, BitSet> inPlace,
        IReadOnlyDictionary<EntryId, BitSet>? shares)
    {
        Content = content;
        Paths = paths;
        this.actions = actions;
        this.metadataIsRight = metadataIsRight;
        this.inPlace = inPlace;
        this.shares = shares;
    }

    private EntryPlans(EntryPlans earlier, Dictionary<EntryId, BitSet> inPlace, IReadOnlyDictionary<EntryId, BitSet>? shares)
        : this(earlier.Content, earlier.Paths, earlier.actions, earlier.metadataIsRight, inPlace, shares) =>
        (Renamed, Local, Partials, stamps) = (earlier.Renamed, earlier.Local, earlier.Partials, earlier.stamps);

    public VersionContent Content { get; }

    public PathMap Paths { get; }

    /// <summary>Entries restored under another name than their own.</summary>
    public Dictionary<EntryId, string> Renamed { get; } = [];

    /// <summary>Entries with blocks that are copied from a local file.</summary>
    public Dictionary<EntryId, LocalBlocks> Local { get; } = [];

    /// <summary>Entries of which an interrupted run left a partial file with right blocks: its path. It is continued.</summary>
    public Dictionary<EntryId, string> Partials { get; } = [];

    public int Count => actions.Length;

    public ref EntryAction this[EntryId entry] => ref actions[entry];

    /// <summary>The path at the target of an entry that has one.</summary>
    public string TargetPath(EntryId entry)
    {
        if (Renamed.TryGetValue(entry, out string? renamed))
        {
            return renamed;
        }

        byte[] buffer = [];
        byte[] original = [];
        Paths.Map(Content.PathOf(entry, ref original), Content.Entries[entry].Kind, ref buffer, out int length);
        return Encoding.UTF8.GetString(buffer, 0, length);
    }

    /// <summary>Stores what a scan of the target found.</summary>
    public void Apply(ScanResult result)
    {
        actions[result.Entry] = result.Action;
        if (result.IsMetadataRight)
        {
            metadataIsRight[result.Entry] = true;
        }

        if (result.Stamp != 0)
        {
            stamps ??= new long[Count];
            stamps[result.Entry] = result.Stamp;
        }

        if (result.Renamed is not null)
        {
            Renamed[result.Entry] = result.Renamed;
        }
    }

    /// <summary>The stamp of a file that was right when the plan was made (<see cref="TargetStatus.Stamp"/>); 0 for others.</summary>
    public long StampOf(EntryId entry) => stamps?[entry] ?? 0;

    /// <summary>Blocks of the content that are at the target already, or null if there are none.</summary>
    public BitSet? InPlace(EntryId entry) => inPlace.GetValueOrDefault(entry);

    /// <summary>Whether the file that is written is there already: the one at the path, or a partial one.</summary>
    public bool IsBegun(EntryId entry) => actions[entry] == EntryAction.Patch || Partials.ContainsKey(entry);

    /// <summary>Stores which blocks of an entry are present: in the file that is written (no path), or in another local file.</summary>
    public void SetPresent(EntryId entry, BitSet blocks, string? path, bool isOriginal)
    {
        if (path is null)
        {
            inPlace[entry] = blocks;
        }
        else
        {
            Local[entry] = new LocalBlocks(isOriginal, path, blocks);
        }
    }

    /// <summary>Changes a file that was to be replaced in place.</summary>
    public void PatchInPlace(EntryId entry, BitSet blocks)
    {
        actions[entry] = EntryAction.Patch;
        Local.Remove(entry);
        Partials.Remove(entry);
        inPlace[entry] = blocks;
    }

    /// <summary>The same decisions after a pass: more blocks of some entries are at the target.</summary>
    public EntryPlans WithInPlace(Dictionary<EntryId, BitSet> more)
    {
        Dictionary<EntryId, BitSet> all = new(inPlace);
        foreach ((EntryId entry, BitSet blocks) in more)
        {
            all[entry] = blocks;
        }

        return new EntryPlans(this, all, shares);
    }

    /// <summary>The same decisions for a part of a split plan.</summary>
    /// <param name="own">By file that several parts write: the blocks that this part brings.</param>
    public EntryPlans WithShares(IReadOnlyDictionary<EntryId, BitSet> own) => new(this, inPlace, own.Count == 0 ? null : own);

    /// <summary>The same decisions, but for some entries those of another look at the target.</summary>
    public EntryPlans With(EntryPlans looked, Predicate<EntryId> isLookedAt)
    {
        EntryPlans merged = new(Content, Paths, new EntryAction[Count], new BitSet(Count), [], shares)
        {
            stamps = stamps is null && looked.stamps is null ? null : new long[Count],
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
            Copy(from.Renamed, merged.Renamed, entry);
            Copy(from.Local, merged.Local, entry);
            Copy(from.Partials, merged.Partials, entry);
        }

        return merged;
    }

    /// <summary>The blocks of a file that this part of a split plan brings; null if the file is not shared with other parts.</summary>
    public BitSet? ShareOf(EntryId entry) => shares?.GetValueOrDefault(entry);

    /// <summary>Whether other parts of a split plan write the file too.</summary>
    public bool IsShared(EntryId entry) => shares?.ContainsKey(entry) == true;

    /// <summary>Writes the tables; <see cref="Saved"/> and <see cref="SavedBlocks"/> have the rest.</summary>
    public void Save(BinaryWriter writer)
    {
        writer.Write(MemoryMarshal.AsBytes(actions.AsSpan()));
        metadataIsRight.Save(writer);
        writer.Write(stamps is not null);
        writer.Write(MemoryMarshal.AsBytes(stamps.AsSpan()));
    }

    /// <summary>Reads what <see cref="Save"/> wrote, and the rest from the head of the plan.</summary>
    public void Load(BinaryReader reader, PlanHead head)
    {
        reader.BaseStream.ReadExactly(MemoryMarshal.AsBytes(actions.AsSpan()));
        metadataIsRight.Load(reader);
        if (reader.ReadBoolean())
        {
            stamps = new long[Count];
            reader.BaseStream.ReadExactly(MemoryMarshal.AsBytes(stamps.AsSpan()));
        }

        foreach (SavedName name in head.Renamed)
        {
            Renamed[new EntryId(name.Entry)] = name.Path;
        }

        foreach (SavedName name in head.Partials)
        {
            Partials[new EntryId(name.Entry)] = name.Path;
        }

        foreach (SavedBlocks blocks in head.PresentBlocks)
        {
            SetPresent(new EntryId(blocks.Entry), BitSet.Of(blocks.Count, blocks.Words), blocks.Path, blocks.IsOriginal);
        }
    }

    public static IReadOnlyList<SavedName> Saved(Dictionary<EntryId, string> paths) => [.. paths.Select(path => new SavedName(path.Key, path.Value))];

    public IReadOnlyList<SavedBlocks> SavedBlocks() =>
    [
        .. inPlace.Select(blocks => new SavedBlocks(blocks.Key, null, false, blocks.Value.Length, blocks.Value.ToWords())),
        .. Local.Select(local => new SavedBlocks(
            local.Key, local.Value.Path, local.Value.IsOriginal, local.Value.Blocks.Length, local.Value.Blocks.ToWords())),
    ];

    private static void Copy<T>(Dictionary<EntryId, T> from, Dictionary<EntryId, T> to, EntryId entry)
    {
        if (from.TryGetValue(entry, out T? value))
        {
            to[entry] = value;
        }
    }

    /// <summary>Whether the metadata of the entry counts as right at the target.</summary>
    public bool IsMetadataRight(EntryId entry) => metadataIsRight[entry];
}
