namespace Restore.Format;

/// <summary>The hash algorithms a backup can name in its manifest.</summary>
internal enum HashKind : byte
{
    Md5,
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

/// <summary>Name, length and computation of a <see cref="HashKind"/>.</summary>
internal static class HashKinds
{
    /// <summary>Length of the longest hash a backup can use, for stack buffers.</summary>
    public const int MaxLengthBytes = 64;

    /// <summary>Parses the name as the manifest spells it ("SHA256"); case-sensitive, as in Duplicati.</summary>
    public static bool TryParse(string? name, out HashKind kind)
    {
        (kind, bool known) = name switch
        {
            "MD5" => (HashKind.Md5, true),
            "SHA1" => (HashKind.Sha1, true),
            "SHA256" => (HashKind.Sha256, true),
            "SHA384" => (HashKind.Sha384, true),
            "SHA512" => (HashKind.Sha512, true),
            _ => (default, false),
        };
        return known;
    }

    public static string ManifestName(this HashKind kind) => kind switch
    {
        HashKind.Md5 => "MD5",
        HashKind.Sha1 => "SHA1",
        HashKind.Sha256 => "SHA256",
        HashKind.Sha384 => "SHA384",
        _ => "SHA512",
    };

    public static int LengthBytes(this HashKind kind) => kind switch
    {
        HashKind.Md5 => 16,
        HashKind.Sha1 => 20,
        HashKind.Sha256 => 32,
        HashKind.Sha384 => 48,
        _ => 64,
    };

    public static HashAlgorithmName AlgorithmName(this HashKind kind) => kind switch
    {
        HashKind.Md5 => HashAlgorithmName.MD5,
        HashKind.Sha1 => HashAlgorithmName.SHA1,
        HashKind.Sha256 => HashAlgorithmName.SHA256,
        HashKind.Sha384 => HashAlgorithmName.SHA384,
        _ => HashAlgorithmName.SHA512,
    };

    /// <summary>Hashes <paramref name="data"/> in one call; <paramref name="destination"/> takes at least <see cref="LengthBytes"/> bytes.</summary>
    public static void HashData(this HashKind kind, ReadOnlySpan<byte> data, Span<byte> destination) =>
        CryptographicOperations.HashData(kind.AlgorithmName(), data, destination);

    public static byte[] HashData(this HashKind kind, ReadOnlySpan<byte> data) => CryptographicOperations.HashData(kind.AlgorithmName(), data);

    public static bool Matches(this HashKind kind, ReadOnlySpan<byte> data, ReadOnlySpan<byte> expected)
    {
        Span<byte> actual = stackalloc byte[MaxLengthBytes];
        actual = actual[..kind.LengthBytes()];
        kind.HashData(data, actual);
        return actual.SequenceEqual(expected);
    }
}
