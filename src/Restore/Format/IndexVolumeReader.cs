namespace Restore.Format;

/// <summary>Size and hash are those of the block volume as uploaded; null if not given or not usable. Blocks whose hash or size is impossible are
/// skipped.</summary>
internal readonly record struct IndexVolumeInfo(long? VolumeSizeBytes, byte[]? VolumeHash, long SkippedCount);

/// <summary>Streams the blocks that a <c>vol/</c> entry lists to a sink, without an allocation per block. The entry is a claim; only the blocks themselves
/// prove it.</summary>
internal static class IndexVolumeReader
{
    /// <summary>Blocks that the sink received before a failure are claims like any other.</summary>
    public static IndexVolumeInfo ReadBlocks(Stream json, IIndexSink sink, BlockLayout layout, CancellationToken cancellationToken = default)
    {
        var reader = new JsonStreamReader(json, cancellationToken);
        try
        {
            return Read(ref reader, sink, layout);
        }
        catch (JsonException e)
        {
            throw new InvalidDataException($"The list of blocks is not valid JSON after its byte {reader.Position:N0}", e);
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

            skipped += ReadCompact(ref json, hash, sink, layout);
        }

        return skipped;
    }

    /// <summary>Reads further blocks that are written without blanks, as far as they are in memory; returns how many were left out.</summary>
    private static long ReadCompact(ref JsonStreamReader json, scoped Span<byte> hash, IIndexSink sink, BlockLayout layout)
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

    /// <summary>Returns the length of the next block with the comma before it; 0 if it has another form or does not end here.</summary>
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

    private static bool IsNamed(ref JsonStreamReader json, ReadOnlySpan<byte> name) => json.TryGetText(out ReadOnlySpan<byte> text) && text.SequenceEqual(name);
}

/// <summary>Receives what the <c>vol/</c> entry of an index volume says about one block volume.</summary>
internal interface IIndexSink
{
    /// <summary>Receives a block that the entry lists for the volume. <paramref name="hash"/> is raw and valid during the call.</summary>
    void Block(ReadOnlySpan<byte> hash, long sizeBytes);
}

/// <summary>Writes the <c>vol/</c> entry of an index volume: the blocks of one block volume, then its hash and size as uploaded. No byte order mark.</summary>
internal sealed class IndexVolumeWriter
{
    private const int FlushBytes = 64 * 1024;

    private readonly Stream stream;
    private readonly JsonOutput json = new();
    private bool isFirst = true;

    /// <summary>Starts the entry in <paramref name="stream"/>, which stays open; end it with <see cref="Finish"/>.</summary>
    public IndexVolumeWriter(Stream stream)
    {
        this.stream = stream;
        json.Raw("{\"blocks\":["u8);
    }

    public void Add(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        json.Raw(isFirst ? "{\"hash\":"u8 : ",{\"hash\":"u8);
        isFirst = false;
        json.Base64Text(hash);
        json.Raw(",\"size\":"u8);
        json.Number(sizeBytes);
        json.Raw("}"u8);
        if (json.Length >= FlushBytes)
        {
            json.FlushTo(stream);
        }
    }

    /// <summary>Ends the entry; <paramref name="volumeHash"/> is the file hash of the volume as uploaded.</summary>
    public void Finish(ReadOnlySpan<byte> volumeHash, long volumeSizeBytes)
    {
        json.Raw("],\"volumehash\":"u8);
        json.Base64Text(volumeHash);
        json.Raw(",\"volumesize\":"u8);
        json.Number(volumeSizeBytes);
        json.Raw("}"u8);
        json.FlushTo(stream);
    }
}

/// <summary>The names of the entries of an index volume: <c>vol/</c> and the name of a block volume, or <c>list/</c> and the hash of a blocklist.</summary>
internal static class IndexEntryName
{
    private const string VolumeFolder = "vol/";
    private const string BlocklistFolder = "list/";

    public const int MaxBlocklistNameBytes = 5 + BlockName.MaxLengthBytes;

    /// <summary>Whether the entry describes a block volume. The name is the archive's claim: look it up in the listing of the backup.</summary>
    public static bool TryGetVolume(ReadOnlySpan<byte> entryName, out ReadOnlySpan<byte> volumeName)
    {
        bool isVolume = entryName.StartsWith("vol/"u8) && entryName.Length > VolumeFolder.Length;
        volumeName = isVolume ? entryName[VolumeFolder.Length..] : default;
        return isVolume;
    }

    /// <summary>Whether the entry is a copy of a blocklist; <paramref name="hash"/> (64 bytes) receives the hash that the copy must have.</summary>
    public static bool TryGetBlocklist(ReadOnlySpan<byte> entryName, Span<byte> hash, out int length)
    {
        length = 0;
        return entryName.StartsWith("list/"u8) && BlockName.TryDecode(entryName[BlocklistFolder.Length..], hash, out length);
    }

    public static string OfVolume(string volumeName) => VolumeFolder + volumeName;

    /// <summary>Returns the length; <paramref name="name"/> takes <see cref="MaxBlocklistNameBytes"/>.</summary>
    public static int OfBlocklist(ReadOnlySpan<byte> hash, Span<byte> name)
    {
        "list/"u8.CopyTo(name);
        return BlocklistFolder.Length + BlockName.Encode(hash, name[BlocklistFolder.Length..]);
    }
}
