using Restore.Catalog.Locating;

namespace Restore.Maintenance.Database;

/// <summary>The rows of the entries of all versions, and the blocks that they refer to.</summary>
internal sealed class DatabaseTables
{
    private readonly Insertion insertVersion;
    private readonly Insertion insertEntry;
    private readonly IssueLog issues;
    private int versions;

    public DatabaseTables(
        NewDatabase database,
        BlockLayout layout,
        long bytesOfBlockVolumes,
        long maxBlocklistBytes,
        IssueLog issues
    )
    {
        (Layout, this.issues) = (layout, issues);
        Blocks = new DatabaseBlocks(this, BlockBudget.OfVolumes(bytesOfBlockVolumes))
        {
            MaxBlocklistBytes = maxBlocklistBytes,
        };
        Contents = new ContentRows(database, layout, Blocks, bytesOfBlockVolumes);
        Paths = new PathRows(database);
        insertVersion = database.Insert("Fileset", "ID", "OperationID", "VolumeID", "IsFullBackup", "Timestamp");
        insertEntry = database.Insert("FilesetEntry", "FilesetID", "FileID", "Lastmodified");
    }

    public BlockLayout Layout { get; }

    public BlockIndex Blocks { get; }

    public ContentRows Contents { get; }

    public PathRows Paths { get; }

    /// <summary>Adds a version; its entries go to the result.</summary>
    public IFileListSink AddVersion(Volume list, OpenedList opened)
    {
        versions++;
        insertVersion
            .Add(versions)
            .Add(1)
            .Add(list.Id + 1)
            .Add(opened.IsFullBackup ? 1 : 0)
            .Add(list.Name.Time.ToUnixTimeSeconds())
            .Run();
        return new EntryRows(versions, list.FileName, Paths, Contents, insertEntry, issues);
    }

    /// <summary>The blocks of the backup. Their blocklists become rows.</summary>
    private sealed class DatabaseBlocks(DatabaseTables tables, long blocksAllowed)
        : BlockIndex(new BlockTable(tables.Layout.BlockHash), tables.Layout, blocksAllowed)
    {
        protected override void Take(BlocklistPlace place, BlockId blocklist, ReadOnlySpan<BlockId> blocks) =>
            tables.Contents.Take(place, blocks);
    }
}
