namespace Restore.Restoring;

/// <summary>
/// Bounds the memory of metadata that waits: blobs of entries with incomplete content, and the
/// metadata of folders and links, which is applied last. A backup can make many entries share one
/// large blob, so equal blobs are in memory once. Safe for concurrent use.
/// </summary>
internal sealed class MetadataMemory
{
    // The usual blob of some hundred bytes is neither shared nor counted.
    private const int SmallBytes = 1 << 10;

    private const long MaxWaitingBytes = 128 << 20;
    private const long MaxKeptBytes = 64 << 20;

    // Folders with some extended attributes are no attack: 100,000 of them.
    private const int UsualBytes = 2 << 10;
    private const long MaxUsualBytes = 256 << 20;

    private readonly Lock gate = new();
    private readonly Dictionary<BlockId, (byte[] Blob, int Users)> shared = [];
    private readonly Dictionary<string, EntryMetadata> kept = new(StringComparer.Ordinal);
    private (BlockId Block, EntryMetadata Parsed)? lastParsed;
    private long waitingBytes;
    private long keptBytes;

    public static EntryMetadata LeftOut { get; } =
        new() { Unusable = ["The metadata is left out: at once there is more of it than fits into memory"] };

    /// <summary>Returns memory for a blob of several blocks; null if no memory is left.</summary>
    public byte[]? TryAllocate(long sizeBytes)
    {
        lock (gate)
        {
            return TryReserve(sizeBytes) ? new byte[sizeBytes] : null;
        }
    }

    /// <summary>
    /// Returns a copy of a block that is a whole blob, the same one for all entries that wait with
    /// it; null if there is no memory left.
    /// </summary>
    public byte[]? TryShare(BlockId block, ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length <= SmallBytes)
        {
            return bytes.ToArray();
        }

        lock (gate)
        {
            if (shared.TryGetValue(block, out (byte[] Blob, int Users) known))
            {
                shared[block] = (known.Blob, known.Users + 1);
                return known.Blob;
            }

            if (!TryReserve(bytes.Length))
            {
                return null;
            }

            byte[] blob = bytes.ToArray();
            shared.Add(block, (blob, 1));
            return blob;
        }
    }

    public void Release(BlockId block, byte[] blob)
    {
        if (blob.Length <= SmallBytes)
        {
            return;
        }

        lock (gate)
        {
            // A blob of several blocks is not shared. Its first block can be the whole blob of
            // another entry, so the memory is compared, too.
            if (shared.TryGetValue(block, out (byte[] Blob, int Users) known) && known.Blob == blob)
            {
                shared[block] = (blob, known.Users - 1);
                if (known.Users > 1)
                {
                    return;
                }

                shared.Remove(block);
            }

            waitingBytes -= blob.Length;
        }
    }

    /// <summary>
    /// Parses a blob that is one block, to be applied immediately. Entries with the same large blob
    /// follow each other: it is parsed once.
    /// </summary>
    public EntryMetadata Parse(BlockId block, byte[] blob)
    {
        if (blob.Length <= SmallBytes)
        {
            return EntryMetadata.Parse(blob);
        }

        lock (gate)
        {
            if (lastParsed is not (BlockId parsedBlock, EntryMetadata known) || parsedBlock != block)
            {
                known = EntryMetadata.Parse(blob);
                lastParsed = (block, known);
            }

            return known;
        }
    }

    /// <summary>Parses the metadata of a folder or link, to be kept until the end.</summary>
    public EntryMetadata Keep(ReadOnlySpan<byte> blob)
    {
        if (
            blob.Length <= SmallBytes
            && EntryMetadata.Parse(blob) is { ExtendedAttributes.Count: 0, Unusable.Count: 0 } simple
        )
        {
            return simple;
        }

        // What comes here can be large, and a backup can give one blob to many folders. So it is
        // parsed and counted once.
        string key = Convert.ToHexString(SHA256.HashData(blob));
        lock (gate)
        {
            if (kept.TryGetValue(key, out EntryMetadata? known))
            {
                return known;
            }

            EntryMetadata parsed = EntryMetadata.Parse(blob);
            long bytes = BytesOf(parsed);
            if (keptBytes + bytes > (bytes <= UsualBytes ? MaxUsualBytes : MaxKeptBytes))
            {
                return LeftOut;
            }

            keptBytes += bytes;
            kept.Add(key, parsed);
            return parsed;
        }
    }

    private static long BytesOf(EntryMetadata metadata)
    {
        const int Object = 200;
        string?[] texts =
        [
            metadata.SymlinkTarget,
            metadata.OwnerName,
            metadata.GroupName,
            metadata.MacAcl,
            metadata.WindowsAccessRules,
            .. metadata.Unusable,
        ];
        return (2L * Object)
            + texts.Sum(text => text is null ? 0 : (2L * text.Length) + 24)
            + metadata.ExtendedAttributes.Sum(attribute => (2L * attribute.Key.Length) + attribute.Value.Length + 64);
    }

    private bool TryReserve(long sizeBytes)
    {
        bool isFree = waitingBytes + sizeBytes <= MaxWaitingBytes;
        waitingBytes += isFree && sizeBytes > SmallBytes ? sizeBytes : 0;
        return isFree;
    }
}
