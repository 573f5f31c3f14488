using Restore.Interop.Browser;

namespace Restore.Encryption;

/// <summary>
/// Hashes data that is not secret, short data without the layers of .NET. Safe for concurrent use.
/// </summary>
internal sealed class DataHasher(HashKind kind, LibCrypto? library)
{
    // For a few hundred bytes, the layers above the library cost several times as much as the hash;
    // at this length, a tenth of the hash.
    private const int ShortBytes = 16 << 10;

    private readonly int lengthBytes = kind.LengthBytes();
    private readonly LibCrypto? library = kind == HashKind.Sha256 ? library : null;

    public DataHasher(HashKind kind)
        : this(kind, LibCrypto.TryLoad()) { }

    public void Hash(ReadOnlySpan<byte> data, Span<byte> destination)
    {
        if (OperatingSystem.IsBrowser())
        {
            PageCryptography.Hash(kind.ManifestName(), data, destination);
        }
        else if (library is null || data.Length > ShortBytes)
        {
            CryptographicOperations.HashData(kind.AlgorithmName(), data, destination);
        }
        else
        {
            library.Hash(data, destination);
        }
    }

    public byte[] Hash(ReadOnlySpan<byte> data)
    {
        byte[] hash = new byte[lengthBytes];
        Hash(data, hash);
        return hash;
    }

    public bool Matches(ReadOnlySpan<byte> data, ReadOnlySpan<byte> expected)
    {
        Span<byte> actual = stackalloc byte[HashKinds.MaxLengthBytes];
        actual = actual[..lengthBytes];
        Hash(data, actual);
        return actual.SequenceEqual(expected);
    }
}
