using Restore.Catalog;
using Restore.Format;
using Restore.Maintenance.Searching;
using Restore.Volumes;

namespace Restore.Maintenance.Database;

/// <summary>The rows of the entries of all versions, and the blocks that they refer to.</summary>
internal sealed class DatabaseTables : IReferences
{
    private readonly Insertion insertVersion;
    private readonly Insertion insertEntry;
    private readonly IssueLog issues;
    private int versions;

    public DatabaseTables(NewDatabase database, BlockLayout layout, long bytesOfBlockVolumes, IssueLog issues)
    {
        (Layout, this.issues) = (layout, issues);
        Blocks = new KnownBlocks(layout.BlockHash);
        Contents = new ContentRows(database, layout, Blocks, Pending, bytesOfBlockVolumes);
        Paths = new PathRows(database);
        insertVersion = database.Insert("Fileset", "ID", "OperationID", "VolumeID", "IsFullBackup", "Timestamp");
        insertEntry = database.Insert("FilesetEntry", "FilesetID", "FileID", "Lastmodified");
    }

    public BlockLayout Layout { get; }

    public KnownBlocks Blocks { get; }

    public PendingBlocklists Pending { get; } = new();

    public ContentRows Contents { get; }

    public PathRows Paths { get; }

    /// <summary>Adds a version; its entries go to the result.</summary>
    public IFileListSink AddVersion(Volume list, OpenedList opened)
    {
        versions++;
        insertVersion.Add(versions).Add(1).Add(list.Id + 1).Add(opened.IsFullBackup ? 1 : 0).Add(list.Name.Time.ToUnixTimeSeconds()).Run();
        return new EntryRows(versions, list.FileName, Paths, Contents, insertEntry, issues);
    }

    public void Accept(int blocklist, ReadOnlySpan<byte> hashes) => Contents.Accept(blocklist, hashes);
}
