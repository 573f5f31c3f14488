using Restore.Catalog.Locating;

namespace Restore.Maintenance.Purge;

/// <summary>Passes on the entries of a list that are not lost, and counts the others.</summary>
internal sealed class PurgedList(ContentStates losses, FileListWriter writer) : IFileListSink
{
    private readonly byte[] metaHash = losses.Layout.FileHash.HashData(AddedBlocks.EmptyMetadata);
    private readonly byte[] metaBlockHash =
        losses.Layout.FileHash == losses.Layout.BlockHash
            ? []
            : losses.Layout.BlockHash.HashData(AddedBlocks.EmptyMetadata);

    // A person looks at a few paths; a version can have millions.
    private const int MaxPaths = 10_000;

    public long Entries { get; private set; }

    public long Contents { get; private set; }

    public long Removed { get; private set; }

    public long WithoutMetadata { get; private set; }

    /// <summary>Entries that may or may not be lost: they stay as they are.</summary>
    public long Unknown { get; private set; }

    public List<string> RemovedPaths { get; } = [];

    public List<string> PathsWithoutMetadata { get; } = [];

    /// <summary>
    /// An entry that cannot be written again as it is; null if all entries can be.
    /// </summary>
    public string? Unwritable { get; private set; }

    public bool IsSame => Removed + WithoutMetadata == 0;

    public void Entry(in FileListEntry entry)
    {
        if (entry.MetaProblem is not null)
        {
            Unusable(Encoding.UTF8.GetString(entry.Path), entry.MetaProblem);
        }

        ContentState content = losses.ContentOf(entry);
        ContentState metadata = losses.MetadataOf(entry);
        Unknown += content == ContentState.Unknown || metadata == ContentState.Unknown ? 1 : 0;

        // The target of a link is in its metadata, so a link without metadata is lost.
        if (content == ContentState.Lost || (metadata == ContentState.Lost && entry.Kind == EntryKind.Symlink))
        {
            Removed++;
            Keep(RemovedPaths, entry.Path);
            return;
        }

        Entries++;
        Contents += entry.SizeBytes > 0 ? 1 : 0;
        if (metadata != ContentState.Lost)
        {
            writer.Add(entry);
            return;
        }

        WithoutMetadata++;
        Keep(PathsWithoutMetadata, entry.Path);
        writer.Add(
            new FileListEntry
            {
                Kind = entry.Kind,
                Path = entry.Path,
                Hash = entry.Hash,
                SizeBytes = entry.SizeBytes,
                TimeTicks = entry.TimeTicks,

                // Duplicati refuses a list with entries that have no metadata at all.
                MetaHash = metaHash,
                MetaSizeBytes = AddedBlocks.EmptyMetadata.Length,
                MetaBlockHash = metaBlockHash,
                BlockHash = entry.BlockHash,
                BlocklistHashes = entry.BlocklistHashes,
            }
        );
    }

    public void Unusable(string path, string reason) => Unwritable ??= path;

    private static void Keep(List<string> paths, ReadOnlySpan<byte> path)
    {
        if (paths.Count < MaxPaths)
        {
            paths.Add(Encoding.UTF8.GetString(path));
        }
    }
}
