using System.Buffers.Text;

namespace Restore.Format;

/// <summary>The block size is that of every block but the last; 1 KiB at least, not always a multiple of the hash length. FileHash names whole files and
/// metadata blobs.</summary>
internal readonly record struct BlockLayout(int BlockSizeBytes, HashKind BlockHash, HashKind FileHash)
{
    public int HashesPerBlocklist => BlockSizeBytes / BlockHash.LengthBytes();

    public long OffsetOf(long index) => index * BlockSizeBytes;

    // Most files have one block, and divisions are slow.
    public long BlockCount(long sizeBytes) =>
        sizeBytes > 0 && sizeBytes <= BlockSizeBytes ? 1 : (sizeBytes / BlockSizeBytes) + (sizeBytes % BlockSizeBytes == 0 ? 0 : 1);

    /// <summary>Number of blocklists of a file; 0 for a file of at most one block.</summary>
    public long BlocklistCount(long sizeBytes)
    {
        long blocks = BlockCount(sizeBytes);
        return blocks <= 1 ? 0 : (blocks + HashesPerBlocklist - 1) / HashesPerBlocklist;
    }

    public int BlockLength(long sizeBytes, long index) => (int)Math.Min(BlockSizeBytes, sizeBytes - OffsetOf(index));

    public int BlocklistLength(long sizeBytes, long index) =>
        (int)Math.Min(HashesPerBlocklist, BlockCount(sizeBytes) - (index * HashesPerBlocklist)) * BlockHash.LengthBytes();
}

/// <summary>The name of a block's entry in a volume: its hash in base64url with the padding kept.</summary>
internal static class BlockName
{
    /// <summary>Length of the longest name, for stack buffers.</summary>
    public const int MaxLengthBytes = 88;

    /// <summary>Decodes a name; false if it is not a hash of a known length (<c>manifest</c> is not). <paramref name="hash"/> takes 64 bytes.</summary>
    public static bool TryDecode(ReadOnlySpan<byte> entryName, Span<byte> hash, out int length)
    {
        // Lengths and padding of hashes of 16, 20, 32, 48 and 64 bytes: MD5, SHA1, SHA256, SHA384, SHA512.
        (length, int padding) = entryName.Length switch
        {
            24 => (16, 2),
            28 => (20, 1),
            44 => (32, 1),
            64 => (48, 0),
            88 => (64, 2),
            _ => (0, 0),
        };
        if (length == 0 || length > hash.Length || entryName[^padding..].ContainsAnyExcept((byte)'='))
        {
            length = 0;
            return false;
        }

        // The decoder skips white space. Only the count of decoded bytes shows that there was none.
        bool isName = Base64Url.DecodeFromUtf8(entryName[..^padding], hash[..length], out _, out int written) == OperationStatus.Done && written == length;
        length = isName ? length : 0;
        return isName;
    }

    /// <summary>Writes the name of the block of <paramref name="hash"/> and returns its length, at most <see cref="MaxLengthBytes"/>.</summary>
    public static int Encode(ReadOnlySpan<byte> hash, Span<byte> destination)
    {
        int written = Base64Url.EncodeToUtf8(hash, destination);
        while (written % 4 != 0)
        {
            destination[written++] = (byte)'=';
        }

        return written;
    }

    public static string Format(ReadOnlySpan<byte> hash)
    {
        Span<byte> name = stackalloc byte[MaxLengthBytes];
        return Encoding.ASCII.GetString(name[..Encode(hash, name)]);
    }
}
