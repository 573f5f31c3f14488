namespace Restore.Format;

internal sealed partial class FileListFields
{
    private const FileListProperty MetadataProperties =
        FileListProperty.MetaHash
        | FileListProperty.MetaSize
        | FileListProperty.MetaBlockHash
        | FileListProperty.MetaBlocklists;

    /// <summary>
    /// Why the entry cannot be used; null if it can, with or without its metadata.
    /// </summary>
    public string? Problem()
    {
        if ((twice & ~MetadataProperties) is not FileListProperty.None and FileListProperty certain)
        {
            return $"It has a property twice ({certain}), so its value is ambiguous";
        }

        if (!Has(FileListProperty.Path) || path.WrittenCount == 0 || Bad(FileListProperty.Path))
        {
            return Bad(FileListProperty.Path) ? "Its path is not Unicode text" : "It has no path";
        }

        if (path.WrittenCount > MaxPathBytes)
        {
            return $"Its path is {path.WrittenCount:N0} bytes long, which is longer than the limit of {MaxPathBytes:N0}";
        }

        if (!Has(FileListProperty.Type) || Bad(FileListProperty.Type))
        {
            return Bad(FileListProperty.Type) ? "Its type is not known to this program" : "It has no type";
        }

        return kind.IsFile() ? ContentProblem() : null;
    }

    /// <summary>
    /// Why the metadata of a usable entry cannot be used; null if it can, or the entry has no
    /// metadata.
    /// </summary>
    private string? MetadataProblem() =>
        (twice & MetadataProperties) is not FileListProperty.None and FileListProperty uncertain
            ? $"It has a property twice ({uncertain}), so its value is ambiguous"
            : MetadataReferenceProblem();

    private string? ContentProblem()
    {
        if (!Has(FileListProperty.Size) || Bad(FileListProperty.Size))
        {
            return Bad(FileListProperty.Size) ? "Its size is not a whole number of bytes" : "It has no size";
        }

        if (!Has(FileListProperty.Hash) || Bad(FileListProperty.Hash))
        {
            return Bad(FileListProperty.Hash)
                ? $"Its hash is not a {layout.FileHash.ManifestName()} hash"
                : "It has no hash";
        }

        if (BlocklistProblem(FileListProperty.Blocklists, size, blocklistCount, blocklists) is { } problem)
        {
            return problem;
        }

        // The properties of a single block do not matter for an empty file, or for a file with
        // blocklists.
        if (!IsOneBlock(size))
        {
            return null;
        }

        if (
            Bad(FileListProperty.BlockHash)
            || Bad(FileListProperty.BlockSize)
            || (Has(FileListProperty.BlockSize) && blockSize != size)
        )
        {
            return "The hash or the size of its block cannot be right";
        }

        return Has(FileListProperty.BlockHash) || layout.BlockHash == layout.FileHash
            ? null
            : "The hash of its block is missing, and the backup uses other hashes for blocks than for files";
    }

    private string? MetadataReferenceProblem()
    {
        if (!Has(FileListProperty.MetaHash))
        {
            return null;
        }

        if (Bad(FileListProperty.MetaHash))
        {
            return $"The hash of its metadata is not a {layout.FileHash.ManifestName()} hash";
        }

        if (!Has(FileListProperty.MetaSize) || Bad(FileListProperty.MetaSize))
        {
            return "The size of its metadata is missing or not a whole number of bytes";
        }

        if (
            BlocklistProblem(FileListProperty.MetaBlocklists, metaSize, metaBlocklistCount, metaBlocklists) is
            { } problem
        )
        {
            return problem;
        }

        if (!IsOneBlock(metaSize))
        {
            return null;
        }

        return
            Bad(FileListProperty.MetaBlockHash)
            || (!Has(FileListProperty.MetaBlockHash) && layout.BlockHash != layout.FileHash)
            ? "The hash of its metadata's block is missing or cannot be right"
            : null;
    }

    private string? BlocklistProblem(
        FileListProperty property,
        long sizeBytes,
        long count,
        ArrayBufferWriter<byte> hashes
    )
    {
        if (Bad(property))
        {
            return $"Its blocklists are not {layout.BlockHash.ManifestName()} hashes";
        }

        // The size decides how many blocks get a place in memory. A hostile list could otherwise
        // claim a huge file for the price of one blocklist.
        long needed = layout.BlocklistCount(sizeBytes);
        if (count != needed)
        {
            return $"It has {count} blocklists, where {sizeBytes} bytes need {needed}";
        }

        return hashes.WrittenCount == count * layout.BlockHash.LengthBytes()
            ? null
            : $"It has {count} blocklists, which is more than this program accepts";
    }
}
