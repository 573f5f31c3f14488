namespace Restore.Format;

/// <summary>
/// The properties of one entry of a file list, read in any order into reused memory, then checked
/// as a whole.
/// </summary>
/// <remarks>
/// A property that is null counts as absent. A property that stands twice makes the entry unusable,
/// because its value is ambiguous.
/// </remarks>
internal sealed partial class FileListFields(BlockLayout layout)
{
    /// <summary>
    /// Limit in bytes for the blocklist hashes of a file: 2 million of SHA-256, for 64 GiB at the
    /// smallest block size and 64 PiB by default.
    /// </summary>
    public const int MaxBlocklistBytes = 64 * 1024 * 1024;

    /// <summary>Longest path: 32,767 UTF-16 units of Windows are at most 98,301 bytes.</summary>
    private const int MaxPathBytes = 98_301;

    private const int MaxReportedPathBytes = 4096;

    private readonly ArrayBufferWriter<byte> path = new();
    private readonly ArrayBufferWriter<byte> blocklists = new();
    private readonly ArrayBufferWriter<byte> metaBlocklists = new();
    private readonly byte[] hash = new byte[layout.FileHash.LengthBytes()];
    private readonly byte[] metaHash = new byte[layout.FileHash.LengthBytes()];
    private readonly byte[] blockHash = new byte[layout.BlockHash.LengthBytes()];
    private readonly byte[] metaBlockHash = new byte[layout.BlockHash.LengthBytes()];

    private FileListProperty present;
    private FileListProperty bad;
    private FileListProperty twice;
    private EntryKind kind;
    private long size;
    private long metaSize;
    private long blockSize;
    private long timeTicks;
    private long blocklistCount;
    private long metaBlocklistCount;

    /// <summary>Reads the properties of an entry, from its opening to its closing brace.</summary>
    public void Read(ref JsonStreamReader json)
    {
        Clear();
        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            FileListProperty property = json.TryGetText(out ReadOnlySpan<byte> name)
                ? FileListNames.Property(name)
                : FileListProperty.None;
            json.Read();
            if (property == FileListProperty.None || json.TokenType == JsonTokenType.Null)
            {
                json.Skip();
                continue;
            }

            twice |= present & property;
            present |= property;
            if (!ReadValue(ref json, property))
            {
                bad |= property;
                json.Skip();
            }
        }
    }

    /// <summary>
    /// The entry; its spans are valid until the next <see cref="Read"/>. Valid only if there is no
    /// <see cref="Problem"/>.
    /// </summary>
    public FileListEntry Entry()
    {
        bool isFile = kind.IsFile();
        string? metaProblem = MetadataProblem();
        bool hasMetadata = metaProblem is null && Has(FileListProperty.MetaHash) && metaSize > 0;

        // A hash that equals the hash of the content counts as absent: then the content is one
        // block with one hash, the form that takes the least memory.
        bool hasBlockHash =
            isFile && IsOneBlock(size) && Has(FileListProperty.BlockHash) && !blockHash.AsSpan().SequenceEqual(hash);
        bool hasMetaBlockHash =
            hasMetadata
            && IsOneBlock(metaSize)
            && Has(FileListProperty.MetaBlockHash)
            && !metaBlockHash.AsSpan().SequenceEqual(metaHash);
        return new FileListEntry
        {
            Kind = kind,
            Path = path.WrittenSpan,
            Hash = isFile ? hash : default(ReadOnlySpan<byte>),
            SizeBytes = isFile ? size : 0,
            TimeTicks = isFile ? timeTicks : 0,
            BlockHash = hasBlockHash ? blockHash : default(ReadOnlySpan<byte>),
            BlocklistHashes = isFile ? blocklists.WrittenSpan : default,
            MetaProblem = metaProblem,
            MetaHash = hasMetadata ? metaHash : default(ReadOnlySpan<byte>),
            MetaSizeBytes = hasMetadata ? metaSize : 0,
            MetaBlockHash = hasMetaBlockHash ? metaBlockHash : default(ReadOnlySpan<byte>),
            MetaBlocklistHashes = hasMetadata ? metaBlocklists.WrittenSpan : default,
        };
    }

    /// <summary>
    /// The path for a report, even if it is not sound text; null if the entry has no path.
    /// </summary>
    public string? PathForReport()
    {
        ReadOnlySpan<byte> bytes = path.WrittenSpan;
        return bytes.Length switch
        {
            0 => null,
            <= MaxReportedPathBytes => Encoding.UTF8.GetString(bytes),
            _ => Encoding.UTF8.GetString(bytes[..MaxReportedPathBytes]) + "…",
        };
    }

    private void Clear()
    {
        present = bad = twice = FileListProperty.None;
        size = metaSize = blockSize = timeTicks = blocklistCount = metaBlocklistCount = 0;
        path.ResetWrittenCount();
        blocklists.ResetWrittenCount();
        metaBlocklists.ResetWrittenCount();
    }

    private bool ReadValue(ref JsonStreamReader json, FileListProperty property) =>
        property switch
        {
            FileListProperty.Type => ReadKind(ref json),
            FileListProperty.Path => ReadPath(ref json),
            FileListProperty.Time => ReadTime(ref json),
            FileListProperty.Hash => json.TryGetHash(hash),
            FileListProperty.MetaHash => json.TryGetHash(metaHash),
            FileListProperty.BlockHash => json.TryGetHash(blockHash),
            FileListProperty.MetaBlockHash => json.TryGetHash(metaBlockHash),
            FileListProperty.Size => json.TryGetInt64(out size) && size >= 0,
            FileListProperty.MetaSize => json.TryGetInt64(out metaSize) && metaSize >= 0,
            FileListProperty.BlockSize => json.TryGetInt64(out blockSize) && blockSize >= 0,
            FileListProperty.Blocklists => ReadHashes(
                ref json,
                blocklists,
                MostBlocklists(FileListProperty.Size, size),
                out blocklistCount
            ),
            _ => ReadHashes(
                ref json,
                metaBlocklists,
                MostBlocklists(FileListProperty.MetaSize, metaSize),
                out metaBlocklistCount
            ),
        };

    private bool Has(FileListProperty property) => (present & property) != 0;

    private bool Bad(FileListProperty property) => (bad & property) != 0;

    private bool IsOneBlock(long sizeBytes) => sizeBytes > 0 && sizeBytes <= layout.BlockSizeBytes;

    // If the size came first, it limits how much of the list is kept. Otherwise only the cap does,
    // and the count is compared at the end.
    private long MostBlocklists(FileListProperty sizeProperty, long sizeBytes)
    {
        long most = MaxBlocklistBytes / layout.BlockHash.LengthBytes();
        return Has(sizeProperty) && !Bad(sizeProperty) ? Math.Min(most, layout.BlocklistCount(sizeBytes)) : most;
    }

    private bool ReadKind(ref JsonStreamReader json)
    {
        EntryKind? known = json.TryGetText(out ReadOnlySpan<byte> name) ? FileListNames.Kind(name) : null;
        kind = known ?? default;
        return known is not null;
    }

    private bool ReadPath(ref JsonStreamReader json)
    {
        bool isSound = json.TryGetText(out ReadOnlySpan<byte> utf8);
        path.ResetWrittenCount();
        path.Write(utf8);
        return isSound;
    }

    // The time is only for show (the exact one is in the metadata), so a bad one does not make the
    // entry unusable.
    private bool ReadTime(ref JsonStreamReader json)
    {
        if (json.TryGetText(out ReadOnlySpan<byte> time) && Timestamp.TryParse(time, out DateTime utc))
        {
            timeTicks = utc.Ticks;
        }

        json.Skip();
        return true;
    }

    // After a bad hash, or too many, reads to the end of the array and counts, but keeps no more
    // hashes.
    private bool ReadHashes(ref JsonStreamReader json, ArrayBufferWriter<byte> into, long most, out long count)
    {
        count = 0;
        into.ResetWrittenCount();
        if (json.TokenType != JsonTokenType.StartArray)
        {
            return false;
        }

        int length = layout.BlockHash.LengthBytes();
        bool isSound = true;
        while (json.Read() && json.TokenType != JsonTokenType.EndArray)
        {
            count++;
            if (isSound && count <= most)
            {
                isSound = json.TryGetHash(into.GetSpan(length)[..length]);
                into.Advance(length);
            }

            json.Skip();
        }

        return isSound;
    }
}
