using Restore.Catalog.Locating;
using Restore.Writing;
using Restore.Writing.Messages;

namespace Restore.Maintenance;

/// <summary>A block with known bytes.</summary>
internal readonly record struct AddedBlock(byte[] Bytes, bool IsList = false);

/// <summary>
/// Blocks with known bytes that no volume has. A restore does not need them, but Duplicati refuses
/// an entry if no volume has its blocks. A new volume with these blocks lets Duplicati continue
/// such a backup.
/// </summary>
internal static class AddedBlocks
{
    // All blocks of a volume are in memory while the volume is made.
    private const long VolumeBytes = 16 << 20;

    /// <summary>The metadata of an entry without known metadata.</summary>
    public static ReadOnlySpan<byte> EmptyMetadata => "{}"u8;

    /// <summary>
    /// The blocks that entries need and no volume has, as far as their bytes are known.
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

    /// <summary>The blocks in groups; each group fits into one volume.</summary>
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
