using Restore.Catalog.Locating;

namespace Restore.Maintenance.Database;

/// <summary>
/// Writes the rows of blocks: blocks that entries refer to, blocks that nothing refers to any more,
/// and further copies.
/// </summary>
internal sealed class BlockRowWriter(NewDatabase database, BlockIndex blocks)
{
    public (long Blocks, long Deleted) Write()
    {
        Insertion insert = database.Insert("Block", "ID", "Hash", "Size", "VolumeID");
        Insertion insertDeleted = database.Insert("DeletedBlock", "Hash", "Size", "VolumeID");
        Insertion insertDuplicate = database.Insert("DuplicateBlock", "BlockID", "VolumeID");
        long referenced = 0;
        foreach (BlockId block in BlockId.UpTo(blocks.Count))
        {
            VolumeId volume = blocks.VolumeOf(block);
            if (blocks.IsReferenced(block))
            {
                referenced++;
                insert
                    .Add(block + 1)
                    .AddHash(blocks.HashOf(block))
                    .Add(blocks.SizeOf(block))

                    // Duplicati's commands about broken files look for -1, a block without a
                    // volume.
                    .Add(volume.IsNone ? -1 : volume + 1)
                    .Run();
            }
            else if (!volume.IsNone)
            {
                insertDeleted.AddHash(blocks.HashOf(block)).Add(blocks.SizeOf(block)).Add(volume + 1).Run();
            }
        }

        foreach ((BlockId block, VolumeId volume) in blocks.Duplicates())
        {
            if (blocks.IsReferenced(block))
            {
                insertDuplicate.Add(block + 1).Add(volume + 1).Run();
            }
            else
            {
                insertDeleted.AddHash(blocks.HashOf(block)).Add(blocks.SizeOf(block)).Add(volume + 1).Run();
            }
        }

        return (referenced, blocks.Count - referenced);
    }
}
