using Restore.Planning.Paths;

namespace Restore.Maintenance.Database;

internal sealed class EntryRows(
    int version,
    string listName,
    PathRows paths,
    ContentRows contents,
    Insertion insertEntry,
    IssueLog issues
) : IFileListSink
{
    // Duplicati's numbers in place of a content or a metadata, for entries that have none.
    private const int Folder = -100;
    private const int Symlink = -200;
    private const int NoMetadata = -1;

    public void Entry(in FileListEntry entry)
    {
        string? problem =
            entry.Kind == EntryKind.AlternateStream
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

    public void Unusable(string path, string reason) =>
        issues.Add(new RestoreIssue(IssueKind.Refused, path, $"{reason}; by {listName}"));

    private int MetadataOf(in FileListEntry entry)
    {
        string? problem =
            entry.MetaSizeBytes > VersionContent.MaxMetadataBytes
                ? "It is longer than metadata can be"
                : entry.MetaProblem;
        if (problem is not null)
        {
            issues.Add(
                new RestoreIssue(
                    IssueKind.Metadata,
                    Encoding.UTF8.GetString(entry.Path),
                    $"The metadata is lost: {problem}"
                )
                {
                    MetadataLost = true,
                }
            );
            return NoMetadata;
        }

        if (entry.MetaHash.IsEmpty || entry.MetaSizeBytes <= 0)
        {
            return NoMetadata;
        }

        int content = contents.GetOrAdd(
            entry.MetaHash,
            entry.MetaSizeBytes,
            entry.MetaBlockHash,
            entry.MetaBlocklistHashes
        );
        return content == 0 ? NoMetadata : contents.MetadataOf(content);
    }
}
