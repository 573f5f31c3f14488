using Restore.Catalog;
using Restore.Format;
using Restore.Maintenance.Searching;
using Restore.Volumes;

namespace Restore.Maintenance.Database;

/// <summary>The rows of the entries of all versions, and the blocks that they refer to.</summary>
internal sealed class DatabaseTables : IReferences, IDisposable
{
    private readonly Statement insertVersion;
    private readonly Statement insertEntry;
    private readonly IssueLog issues;
    private int versions;

    public DatabaseTables(NewDatabase database, BlockLayout layout, long bytesOfBlockVolumes, IssueLog issues)
    {
        (Layout, this.issues) = (layout, issues);
        Blocks = new KnownBlocks(layout.BlockHash);
        Contents = new ContentRows(database, layout, Blocks, Pending, bytesOfBlockVolumes);
        Paths = new PathRows(database);
        insertVersion = database.Prepare(
            """INSERT INTO "Fileset" ("ID", "OperationID", "VolumeID", "IsFullBackup", "Timestamp") VALUES (?, 1, ?, ?, ?)""");
        insertEntry = database.Prepare("""INSERT INTO "FilesetEntry" ("FilesetID", "FileID", "Lastmodified") VALUES (?, ?, ?)""");
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
        insertVersion.Add(versions).Add(list.Id + 1).Add(opened.IsFullBackup ? 1 : 0).Add(list.Name.Time.ToUnixTimeSeconds()).Run();
        return new EntryRows(versions, list.FileName, Paths, Contents, insertEntry, issues);
    }

    public void Accept(int blocklist, ReadOnlySpan<byte> hashes) => Contents.Accept(blocklist, hashes);

    public void Dispose()
    {
        insertVersion.Dispose();
        insertEntry.Dispose();
        Contents.Dispose();
        Paths.Dispose();
    }
}
