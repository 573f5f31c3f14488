using Restore.Catalog;
using Restore.Volumes;

namespace Restore.Planning;

/// <summary>An entry that a pass did not finish.</summary>
/// <param name="Entry">The entry.</param>
/// <param name="IsStarted">Whether its file is at the target.</param>
/// <param name="MetadataIsDone">Whether its metadata arrived, so that the next pass need not bring it.</param>
internal readonly record struct UnfinishedEntry(EntryId Entry, bool IsStarted, bool MetadataIsDone);

/// <summary>What a pass did not bring.</summary>
/// <param name="Blocks">Blocks that were not where the plan said, or had other bytes.</param>
/// <param name="Entries">The entries that lack some of them.</param>
/// <param name="UnreadableVolumes">Volumes of which nothing could be read: their blocks may be right, and are tried again if it becomes readable.</param>
internal sealed record PassLosses(
    IReadOnlySet<BlockId> Blocks, IReadOnlyList<UnfinishedEntry> Entries, IReadOnlySet<VolumeId> UnreadableVolumes)
{
    public static PassLosses None { get; } = new(new HashSet<BlockId>(), [], new HashSet<VolumeId>());
}
