namespace Restore.Encryption;

/// <summary>
/// LastBlockBytes is for version 0 only (0 = all 16); later versions have it at their end. The
/// 16-byte public IV is also the salt of the key derivation.
/// </summary>
internal readonly record struct AesCryptHeader(
    byte Version,
    byte LastBlockBytes,
    int KeyIterations,
    int IvOffset,
    int BodyOffset
)
{
    public const int IvBytes = 16;
    public const int KeyBytes = 32;
    public const int HmacBytes = 32;

    /// <summary>Session IV and session key, encrypted (versions 1 to 3).</summary>
    public const int SealedSessionBytes = IvBytes + KeyBytes;

    /// <summary>The fixed rounds of versions 0 to 2.</summary>
    public const int FixedKeyIterations = 8192;

    private const int MagicBytes = 5;

    /// <summary>
    /// Versions 1 to 3 encrypt the body with a random session key in the header; version 0 uses the
    /// derived key itself.
    /// </summary>
    public bool HasSessionKey => Version >= 1;

    /// <summary>
    /// Versions 1 and 2 keep the number of plain bytes in the last block in a byte before the
    /// body's HMAC.
    /// </summary>
    public bool HasLengthByteAtEnd => Version is 1 or 2;

    /// <summary>The rest of the stream may be missing.</summary>
    public static AesCryptHeader Parse(ReadOnlySpan<byte> stream, int maxKeyIterations)
    {
        if (stream.IsEmpty)
        {
            throw new InvalidDataException("The volume is empty");
        }

        if (stream.Length < MagicBytes || !stream.StartsWith("AES"u8))
        {
            throw new InvalidDataException(
                "The volume is not an AES Crypt stream: it does not start with AES and a version"
            );
        }

        byte version = stream[3];
        if (version > 3)
        {
            throw new InvalidDataException(
                $"The volume is an AES Crypt stream of version {version}; versions 0 to 3 can be read"
            );
        }

        int offset = version >= 2 ? SkipExtensions(stream) : MagicBytes;
        int iterations = FixedKeyIterations;
        if (version == 3)
        {
            iterations = CheckedIterations(
                BinaryPrimitives.ReadUInt32BigEndian(Part(stream, offset, sizeof(uint))),
                maxKeyIterations
            );
            offset += sizeof(uint);
        }

        int bodyOffset = offset + IvBytes + (version >= 1 ? SealedSessionBytes + HmacBytes : 0);
        Part(stream, offset, bodyOffset - offset);

        // Byte 4 is the length of the last block in version 0; in later versions it is reserved and
        // ignored.
        return new AesCryptHeader(version, version == 0 ? stream[4] : (byte)0, iterations, offset, bodyOffset);
    }

    public AesCryptLayout LayoutOf(long streamBytes)
    {
        long rest = streamBytes - BodyOffset;
        long body = rest - HmacBytes - (HasLengthByteAtEnd ? 1 : 0);
        bool isWhole = body >= 0 && body % AesCryptLayout.BlockBytes == 0 && (Version < 3 || body > 0);

        // A stream that was cut has no HMAC at its end: the bytes there are ciphertext, and worth
        // decrypting.
        return isWhole
            ? new AesCryptLayout(BodyOffset, body, IsWhole: true)
            : new AesCryptLayout(
                BodyOffset,
                Math.Max(0, rest) / AesCryptLayout.BlockBytes * AesCryptLayout.BlockBytes,
                IsWhole: false
            );
    }

    private static int SkipExtensions(ReadOnlySpan<byte> stream)
    {
        int offset = MagicBytes;
        while (true)
        {
            int length = BinaryPrimitives.ReadUInt16BigEndian(Part(stream, offset, sizeof(ushort)));
            offset += sizeof(ushort);
            if (length == 0)
            {
                return offset;
            }

            Part(stream, offset, length);
            offset += length;
        }
    }

    private static int CheckedIterations(uint iterations, int maxKeyIterations)
    {
        if (iterations == 0)
        {
            throw new InvalidDataException(
                "The volume's header asks for 0 rounds of key derivation, which no writer does"
            );
        }

        if (iterations > maxKeyIterations)
        {
            throw new InvalidDataException(
                $"The volume's header asks for {iterations} rounds of key derivation and at most {maxKeyIterations} are allowed"
            ).With(IssueCode.KeyIterationsExceeded);
        }

        return (int)iterations;
    }

    private static ReadOnlySpan<byte> Part(ReadOnlySpan<byte> stream, int offset, int length) =>
        length <= stream.Length - offset
            ? stream.Slice(offset, length)
            : throw new InvalidDataException(
                $"The volume ends after {stream.Length} bytes, inside its AES Crypt header"
            );
}

/// <summary>The part of a stream to fetch in order to decrypt a range of its plain text.</summary>
/// <param name="Offset">Where in the stream to start.</param>
/// <param name="StartsWithPrevious">Whether the first block only serves to decrypt the one after
/// it.</param>
internal readonly record struct AesCryptRange(
    long Offset,
    int Length,
    bool StartsWithPrevious,
    int Skip,
    int PlainLength
);
