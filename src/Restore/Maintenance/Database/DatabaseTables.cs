using Restore.Catalog.Locating;
using Restore.Planning.Paths;

namespace Restore.Maintenance.Database;

/// <summary>The rows of the entries of all versions, and the blocks that they refer to.</summary>
internal sealed class DatabaseTables
{
    private readonly Insertion insertVersion;
    private readonly Insertion insertEntry;
    private readonly IssueLog issues;
    private int versions;

    public DatabaseTables(NewDatabase database, BlockLayout layout, long bytesOfBlockVolumes, long maxBlocklistBytes, IssueLog issues)
    {
        (Layout, this.issues) = (layout, issues);
        Blocks = new DatabaseBlocks(this, BlockBudget.OfVolumes(bytesOfBlockVolumes)) { MaxBlocklistBytes = maxBlocklistBytes };
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
        insertVersion.Add(versions).Add(1).Add(list.Id + 1).Add(opened.IsFullBackup ? 1 : 0).Add(list.Name.Time.ToUnixTimeSeconds()).Run();
        return new EntryRows(versions, list.FileName, Paths, Contents, insertEntry, issues);
    }

    /// <summary>The blocks, whose lists become rows.</summary>
    private sealed class DatabaseBlocks(DatabaseTables tables, long blocksAllowed)
        : BlockIndex(new BlockTable(tables.Layout.BlockHash), tables.Layout, blocksAllowed)
    {
        protected override void Take(BlocklistPlace place, BlockId blocklist, ReadOnlySpan<BlockId> blocks) => tables.Contents.Take(place, blocks);
    }
}

internal sealed class EntryRows(int version, string listName, PathRows paths, ContentRows contents, Insertion insertEntry, IssueLog issues) : IFileListSink
{
    private const int Folder = -100;
    private const int Symlink = -200;
    private const int NoMetadata = -1;

    public void Entry(in FileListEntry entry)
    {
        string? problem = entry.Kind == EntryKind.AlternateStream
            ? "It is an alternate stream in the form of an old version, which Duplicati leaves out of a database too"
            : OriginalPath.Check(entry.Path, entry.Kind);
        if (problem is not null)
        {
            Unusable(Encoding.UTF8.GetString(entry.Path), problem);
            return;
        }

        int content = entry.Kind switch
        {
            EntryKind.Folder => Folder,
            EntryKind.Symlink => Symlink,
            _ => contents.GetOrAdd(entry.Hash, entry.SizeBytes, entry.BlockHash, entry.BlocklistHashes),
        };
        if (content == 0)
        {
            Unusable(Encoding.UTF8.GetString(entry.Path), "It has more blocks than a backup of this size");
            return;
        }

        int path = paths.GetOrAdd(version, entry.Path, content, MetadataOf(entry));
        if (path == 0)
        {
            Unusable(Encoding.UTF8.GetString(entry.Path), "The list has another entry with this path");
            return;
        }

        insertEntry.Add(version).Add(path).Add(entry.Kind.IsFile() ? entry.TimeTicks : 0).Run();
    }

    public void Unusable(string path, string reason) => issues.Add(new RestoreIssue(IssueKind.Refused, path, $"{reason}; by {listName}"));

    private int MetadataOf(in FileListEntry entry)
    {
        string? problem = entry.MetaSizeBytes > VersionContent.MaxMetadataBytes ? "It is longer than metadata can be" : entry.MetaProblem;
        if (problem is not null)
        {
            issues.Add(new RestoreIssue(IssueKind.Metadata, Encoding.UTF8.GetString(entry.Path), $"The metadata is lost: {problem}") { MetadataLost = true });
            return NoMetadata;
        }

        if (entry.MetaHash.IsEmpty || entry.MetaSizeBytes <= 0)
        {
            return NoMetadata;
        }

        int content = contents.GetOrAdd(entry.MetaHash, entry.MetaSizeBytes, entry.MetaBlockHash, entry.MetaBlocklistHashes);
        return content == 0 ? NoMetadata : contents.MetadataOf(content);
    }
}

/// <summary>The rows of paths: one for each path with one content and one metadata, whichever versions have it.</summary>
internal sealed class PathRows
{
    private readonly PathSet paths = new();
    private readonly SegmentedList<LastState> lastStates = new();
    private readonly SegmentedList<State> states = new();
    private readonly Insertion insertPrefix;
    private readonly Insertion insertPath;
    private int prefixes;

    public PathRows(NewDatabase database)
    {
        insertPrefix = database.Insert("PathPrefix", "ID", "Prefix");
        insertPath = database.Insert("FileLookup", "ID", "PrefixID", "Path", "BlocksetID", "MetadataID");
    }

    public int Count => states.Count;

    /// <returns>Its number; 0 if the version has the path already.</returns>
    public int GetOrAdd(int version, ReadOnlySpan<byte> path, int content, int metadata)
    {
        int length = PrefixLength(path);
        if (paths.TryAdd(path, length, out int number))
        {
            lastStates.Add(new LastState(0, -1));
        }

        ref LastState last = ref lastStates[number];
        if (last.Version == version)
        {
            return 0;
        }

        last.Version = version;
        for (int at = last.Row; at >= 0; at = states[at].Before)
        {
            if (states[at].Content == content && states[at].Metadata == metadata)
            {
                return at + 1;
            }
        }

        last.Row = states.Add(new State(content, metadata, last.Row));
        int prefix = paths.FolderOf(number) + 1;
        if (prefix > prefixes)
        {
            prefixes = prefix;
            insertPrefix.Add(prefix).Add(path[..length]).Run();
        }

        insertPath.Add(last.Row + 1).Add(prefix).Add(path[length..]).Add(content).Add(metadata).Run();
        return last.Row + 1;
    }

    /// <summary>Length of what comes before the name; the separator at the end of a folder belongs to its name.</summary>
    private static int PrefixLength(ReadOnlySpan<byte> path)
    {
        byte separator = path[0] == (byte)'/' ? (byte)'/' : (byte)'\\';
        return path.TrimEnd(separator).LastIndexOf(separator) + 1;
    }

    private record struct LastState(int Version, int Row);

    private record struct State(int Content, int Metadata, int Before);
}
