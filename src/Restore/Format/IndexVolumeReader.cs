namespace Restore.Format;

/// <summary>
/// What an index volume says about a block volume: its size and hash as uploaded, null if a value
/// is missing or cannot be used. Blocks with an impossible hash or size are skipped and counted.
/// </summary>
internal readonly record struct IndexVolumeInfo(long? VolumeSizeBytes, byte[]? VolumeHash, long SkippedCount);

/// <summary>
/// Streams the blocks that a <c>vol/</c> entry lists to a sink, without an allocation per block.
/// The entry is a claim; only the blocks themselves prove it.
/// </summary>
internal static class IndexVolumeReader
{
    /// <summary>Blocks that the sink received before a failure are claims like any other.</summary>
    public static IndexVolumeInfo ReadBlocks(
        Stream json,
        IIndexSink sink,
        BlockLayout layout,
        CancellationToken cancellationToken = default
    )
    {
        var reader = new JsonStreamReader(json, cancellationToken);
        try
        {
            return Read(ref reader, sink, layout);
        }
        catch (JsonException e)
        {
            throw new InvalidDataException(
                $"The list of blocks is not valid JSON after its byte {reader.Position:N0}",
                e
            );
        }
        finally
        {
            reader.Dispose();
        }
    }

    private static IndexVolumeInfo Read(ref JsonStreamReader json, IIndexSink sink, BlockLayout layout)
    {
        json.Read();
        if (json.TokenType != JsonTokenType.StartObject)
        {
            throw new InvalidDataException("The list of blocks is not a JSON object");
        }

        var info = default(IndexVolumeInfo);
        Span<byte> hash = stackalloc byte[HashKinds.MaxLengthBytes];
        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            if (IsNamed(ref json, "blocks"u8))
            {
                json.Read();
                info = info with { SkippedCount = info.SkippedCount + ReadList(ref json, sink, layout) };
            }
            else if (IsNamed(ref json, "volumehash"u8))
            {
                json.Read();
                Span<byte> volumeHash = hash[..layout.FileHash.LengthBytes()];
                info = info with { VolumeHash = json.TryGetHash(volumeHash) ? volumeHash.ToArray() : null };
            }
            else if (IsNamed(ref json, "volumesize"u8))
            {
                json.Read();
                info = info with { VolumeSizeBytes = json.TryGetInt64(out long size) && size >= 0 ? size : null };
            }
            else
            {
                json.Read();
            }

            json.Skip();
        }

        // Reads to the end of the stream: only there does the archive check length and CRC.
        json.Read();
        return info;
    }

    /// <summary>Returns the number of blocks that were left out.</summary>
    private static long ReadList(ref JsonStreamReader json, IIndexSink sink, BlockLayout layout)
    {
        if (json.TokenType == JsonTokenType.Null)
        {
            return 0;
        }

        if (json.TokenType != JsonTokenType.StartArray)
        {
            throw new InvalidDataException("The list of blocks has something else than an array in \"blocks\"");
        }

        long skipped = 0;
        Span<byte> hash = stackalloc byte[layout.BlockHash.LengthBytes()];
        while (json.Read() && json.TokenType != JsonTokenType.EndArray)
        {
            if (TryBlock(ref json, hash, out long size) && size <= layout.BlockSizeBytes)
            {
                sink.Block(hash, size);
            }
            else
            {
                skipped++;
            }

            // The blocks after a block usually have the same form. The first one in another form is
            // read token by token again.
            skipped += ReadCompact(ref json, hash, sink, layout);
        }

        return skipped;
    }

    /// <summary>
    /// Reads further blocks that are written without blanks, as far as they are in memory; returns
    /// how many were left out.
    /// </summary>
    private static long ReadCompact(
        ref JsonStreamReader json,
        scoped Span<byte> hash,
        IIndexSink sink,
        BlockLayout layout
    )
    {
        if (json.TokenType != JsonTokenType.EndObject)
        {
            return 0;
        }

        long skipped = 0;
        ReadOnlySpan<byte> ahead = json.Ahead;
        int used = 0;
        while (CompactBlock(ahead[used..], hash, out long size) is int length and > 0)
        {
            used += length;
            if (size <= layout.BlockSizeBytes)
            {
                sink.Block(hash, size);
            }
            else
            {
                skipped++;
            }
        }

        json.Pass(used);
        return skipped;
    }

    /// <summary>
    /// Returns the length of the next block with the comma before it; 0 if it has another form or
    /// does not end here.
    /// </summary>
    private static int CompactBlock(ReadOnlySpan<byte> json, Span<byte> hash, out long size)
    {
        size = 0;
        ReadOnlySpan<byte> start = ",{\"hash\":"u8;
        ReadOnlySpan<byte> middle = ",\"size\":"u8;
        int hashLength = json.StartsWith(start) ? CompactJson.Hash(json[start.Length..], hash) : 0;
        if (hashLength == 0 || !json[(start.Length + hashLength)..].StartsWith(middle))
        {
            return 0;
        }

        int at = start.Length + hashLength + middle.Length;
        int end = at + CompactJson.Number(json[at..], out size);
        return end > at && end < json.Length && json[end] == '}' ? end + 1 : 0;
    }

    private static bool TryBlock(ref JsonStreamReader json, scoped Span<byte> hash, out long size)
    {
        size = -1;
        bool hasHash = false;
        if (json.TokenType != JsonTokenType.StartObject)
        {
            json.Skip();
            return false;
        }

        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            bool isHash = IsNamed(ref json, "hash"u8);
            bool isSize = !isHash && IsNamed(ref json, "size"u8);
            json.Read();
            if (isHash)
            {
                hasHash = json.TryGetHash(hash);
            }
            else if (isSize && !json.TryGetInt64(out size))
            {
                size = -1;
            }

            json.Skip();
        }

        return hasHash && size >= 0;
    }

    private static bool IsNamed(ref JsonStreamReader json, ReadOnlySpan<byte> name) =>
        json.TryGetText(out ReadOnlySpan<byte> text) && text.SequenceEqual(name);
}
