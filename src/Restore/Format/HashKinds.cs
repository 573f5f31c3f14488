namespace Restore.Format;

/// <summary>Name, length and computation of a <see cref="HashKind"/>.</summary>
internal static class HashKinds
{
    /// <summary>Length of the longest hash a backup can use, for stack buffers.</summary>
    public const int MaxLengthBytes = 64;

    // By kind. The names are spelled as in the manifest.
    private static readonly HashAlgorithmName[] Algorithms =
    [
        HashAlgorithmName.MD5,
        HashAlgorithmName.SHA1,
        HashAlgorithmName.SHA256,
        HashAlgorithmName.SHA384,
        HashAlgorithmName.SHA512,
    ];

    /// <summary>
    /// Parses the name as the manifest spells it ("SHA256"); case-sensitive, as in Duplicati.
    /// </summary>
    public static bool TryParse(string? name, out HashKind kind)
    {
        int index = Array.FindIndex(Algorithms, algorithm => algorithm.Name == name);
        kind = (HashKind)Math.Max(0, index);
        return index >= 0;
    }

    public static string ManifestName(this HashKind kind) => kind.AlgorithmName().Name!;

    public static int LengthBytes(this HashKind kind) =>
        kind switch
        {
            HashKind.Md5 => 16,
            HashKind.Sha1 => 20,
            HashKind.Sha256 => 32,
            HashKind.Sha384 => 48,
            _ => 64,
        };

    public static HashAlgorithmName AlgorithmName(this HashKind kind) => Algorithms[(int)kind];

    public static byte[] HashData(this HashKind kind, ReadOnlySpan<byte> data) =>
        CryptographicOperations.HashData(kind.AlgorithmName(), data);

    public static bool Matches(this HashKind kind, ReadOnlySpan<byte> data, ReadOnlySpan<byte> expected) =>
        kind.HashData(data).AsSpan().SequenceEqual(expected);
}
