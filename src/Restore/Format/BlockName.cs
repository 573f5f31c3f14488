using System.Buffers.Text;

namespace Restore.Format;

/// <summary>
/// The name of a block's entry in a volume: its hash in base64url with the padding kept.
/// </summary>
internal static class BlockName
{
    /// <summary>Length of the longest name, for stack buffers.</summary>
    public const int MaxLengthBytes = 88;

    /// <summary>
    /// Decodes a name; false if it is not a hash of a known length (<c>manifest</c> is not).
    /// <paramref name="hash"/> takes 64 bytes.
    /// </summary>
    public static bool TryDecode(ReadOnlySpan<byte> entryName, Span<byte> hash, out int length)
    {
        // Lengths and padding of hashes of 16, 20, 32, 48 and 64 bytes: MD5, SHA1, SHA256, SHA384,
        // SHA512.
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
        bool isName =
            Base64Url.DecodeFromUtf8(entryName[..^padding], hash[..length], out _, out int written)
                == OperationStatus.Done
            && written == length;
        length = isName ? length : 0;
        return isName;
    }

    /// <summary>
    /// Writes the name of the block of <paramref name="hash"/> and returns its length, at most
    /// <see cref="MaxLengthBytes"/>.
    /// </summary>
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
