using Restore.Catalog.Locating;
using Restore.Writing;
using Restore.Writing.Messages;

namespace Restore.Maintenance;

/// <summary>A block whose bytes are known.</summary>
internal readonly record struct AddedBlock(byte[] Bytes, bool IsList = false);

/// <summary>
/// Blocks whose bytes are known although no volume has them: a restore does without, but Duplicati
/// accepts no entry whose blocks are in no volume. A volume of their own makes such a backup one
/// that Duplicati goes on with.
/// </summary>
internal static class AddedBlocks
{
    // The blocks of a volume are in memory while it is made.
    private const long VolumeBytes = 16 << 20;

    /// <summary>The metadata of an entry of which none is known.</summary>
    public static ReadOnlySpan<byte> EmptyMetadata => "{}"u8;

    /// <summary>
    /// The blocks whose bytes are known, that entries need, and that no volume has.
    /// </summary>
    public static IEnumerable<AddedBlock> LackingIn(ContentStates losses, bool needsMetadata)
    {
        if (needsMetadata && !losses.HasBlock(losses.Layout.BlockHash.HashData(EmptyMetadata), EmptyMetadata.Length))
        {
            yield return new AddedBlock(EmptyMetadata.ToArray());
        }

        if (losses.LacksZeros)
        {
            yield return new AddedBlock(new byte[losses.Layout.BlockSizeBytes]);
        }

        foreach (byte[] list in losses.ListsWithoutVolume())
        {
            yield return new AddedBlock(list, IsList: true);
        }
    }

    /// <summary>The same in groups, each of which suits a volume.</summary>
    public static IEnumerable<List<AddedBlock>> InVolumes(IEnumerable<AddedBlock> blocks)
    {
        List<AddedBlock> group = [];
        long bytes = 0;
        foreach (AddedBlock block in blocks)
        {
            group.Add(block);
            bytes += block.Bytes.Length;
            if (bytes >= VolumeBytes)
            {
                yield return group;
                (group, bytes) = ([], 0);
            }
        }

        if (group.Count > 0)
        {
            yield return group;
        }
    }

    /// <summary>Says that files need the block of zeros, and no volume has it.</summary>
    public static RestoreIssue ZerosMissing(string where) =>
        new(
            IssueKind.Warning,
            where,
            "The block of zeros is in no volume. Files with it restore without loss, but Duplicati needs it: a repair writes it"
        );

    public static VolumeBuilt Build(
        WriterSettings settings,
        BufferPool pool,
        DateTimeOffset created,
        params IReadOnlyList<AddedBlock> blocks
    )
    {
        using VolumeArchive archive = new(settings, pool, created, 1 << 16);
        BlockList indexed = new(settings.Layout.BlockHash.LengthBytes());
        List<(byte[] Hash, byte[] Content)> lists = [];
        foreach ((byte[] block, bool isList) in blocks)
        {
            byte[] hash = settings.Layout.BlockHash.HashData(block);
            archive.AddDeflated(BlockName.Format(hash), block);
            indexed.Add(hash, block.Length);
            if (isList)
            {
                // Duplicati replaces index volumes that lack the lists of their volume.
                lists.Add((hash, block));
            }
        }

        return new VolumeBuilt(archive.Finish(), indexed, lists);
    }
}
