namespace Restore.Catalog;

/// <summary>Sees each entry of a version, selected or not.</summary>
internal delegate void EntryObserver(ReadOnlySpan<byte> path, EntryKind kind, bool isSelected);

internal sealed class VersionContentBuilder(VersionContent content, EntryFilter filter, EntryObserver? observer)
    : IFileListSink
{
    private readonly PathBudget paths = new();
    private readonly FoldersAbove? above = filter.TakesFoldersAbove ? new(content) : null;
    private char[] scratch = new char[256];

    public void Entry(in FileListEntry entry)
    {
        bool isSelected = filter.IsAll || filter.Matches(entry.Path, ref scratch);
        if (isSelected && !paths.TryTake(entry.Path))
        {
            content.Issues.Add(PathBudget.Refusal(entry.Path));
            return;
        }

        observer?.Invoke(entry.Path, entry.Kind, isSelected);
        if (!isSelected)
        {
            if (entry.Kind == EntryKind.Folder)
            {
                above?.Note(entry);
            }

            return;
        }

        ContentId file = entry.Kind.IsFile()
            ? AddContent(entry.SizeBytes, entry.Hash, entry.BlockHash, entry.BlocklistHashes)
            : ContentId.None;
        content.AddEntry(entry.Path, entry.Kind, file, AddMetadata(entry), entry.TimeTicks);
    }

    public void Expect(in FileListEntry entry)
    {
        if (filter.IsAll)
        {
            Expect(entry.Hash, entry.SizeBytes);
            Expect(entry.MetaHash, entry.MetaSizeBytes);
        }
    }

    /// <summary>
    /// Ends the list: adds the folders above the selected entries, if the filter takes them.
    /// </summary>
    public void End() => above?.AddToContent();

    public void Unusable(string path, string reason)
    {
        if (filter.IsAll || filter.Matches(Encoding.UTF8.GetBytes(path), ref scratch))
        {
            content.Issues.Add(new RestoreIssue(IssueKind.Refused, path, reason));
        }
    }

    private void Expect(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        if (sizeBytes <= content.Layout.BlockSizeBytes)
        {
            content.Blocks.Expect(hash, (int)sizeBytes);
        }
    }

    private ContentId AddMetadata(in FileListEntry entry)
    {
        string? problem =
            entry.MetaSizeBytes > VersionContent.MaxMetadataBytes
                ? $"It is {entry.MetaSizeBytes:N0} bytes long by the file list, which is larger than the limit of {VersionContent.MaxMetadataBytes:N0}"
                : entry.MetaProblem;
        if (problem is not null)
        {
            content.AddMetadataLoss(Encoding.UTF8.GetString(entry.Path), entry.Kind, problem);
            return ContentId.None;
        }

        return entry.MetaHash.IsEmpty || entry.MetaSizeBytes <= 0
            ? ContentId.None
            : AddContent(entry.MetaSizeBytes, entry.MetaHash, entry.MetaBlockHash, entry.MetaBlocklistHashes);
    }

    private ContentId AddContent(
        long sizeBytes,
        ReadOnlySpan<byte> hash,
        ReadOnlySpan<byte> blockHash,
        ReadOnlySpan<byte> blocklistHashes
    )
    {
        BlockLayout layout = content.Layout;
        bool oneHash =
            sizeBytes > 0
            && sizeBytes <= layout.BlockSizeBytes
            && blockHash.IsEmpty
            && layout.FileHash == layout.BlockHash;

        // Most files have one block with the hash of the file. Such a content is the number of its
        // block and has no row of its own.
        if (oneHash && hash.Length == layout.BlockHash.LengthBytes())
        {
            return content.AddContent(content.Blocks.GetOrAdd(hash, (int)sizeBytes));
        }

        ContentId added = content.AddContent(sizeBytes, oneHash ? [] : hash);
        if (sizeBytes > layout.BlockSizeBytes)
        {
            content.SetFirstBlocklist(added, content.Blocklists.Count);
            int hashLength = layout.BlockHash.LengthBytes();
            for (int i = 0; i * hashLength < blocklistHashes.Length; i++)
            {
                ReadOnlySpan<byte> one = blocklistHashes.Slice(i * hashLength, hashLength);
                content.Blocklists.Add(content.Blocks.GetOrAdd(one, layout.BlocklistLength(sizeBytes, i)));
            }
        }
        else if (sizeBytes > 0)
        {
            ReadOnlySpan<byte> only = blockHash.IsEmpty ? hash : blockHash;
            content.SetBlock(
                added,
                0,
                only.Length == layout.BlockHash.LengthBytes()
                    ? content.Blocks.GetOrAdd(only, (int)sizeBytes)
                    : BlockId.None
            );
        }

        return added;
    }
}
