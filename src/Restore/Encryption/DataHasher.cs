using Restore.Format;

namespace Restore.Encryption;

/// <summary>Hashes data that is not secret, short data without the layers of .NET. Safe for concurrent use.</summary>
/// <param name="kind">The hash.</param>
/// <param name="library">Hashes short data; null to leave all to .NET.</param>
internal sealed class DataHasher(HashKind kind, LibCrypto? library)
{
    // For some hundred bytes the layers above the library cost several times as much as the hash; at this length a tenth of it.
    private const int ShortBytes = 16 << 10;

    private readonly int lengthBytes = kind.LengthBytes();
    private readonly LibCrypto? library = kind == HashKind.Sha256 ? library : null;

    /// <summary>Uses the system's library, if there is one.</summary>
    public DataHasher(HashKind kind)
        : this(kind, LibCrypto.TryLoad())
    {
    }

    /// <summary>Writes the hash of data to <paramref name="destination"/>, which has its length.</summary>
    public void Hash(ReadOnlySpan<byte> data, Span<byte> destination)
    {
        if (library is null || data.Length > ShortBytes)
        {
            kind.HashData(data, destination);
        }
        else
        {
            library.Hash(data, destination);
        }
    }

    /// <summary>The hash of data.</summary>
    public byte[] Hash(ReadOnlySpan<byte> data)
    {
        byte[] hash = new byte[lengthBytes];
        Hash(data, hash);
        return hash;
    }

    /// <summary>Whether data has the hash <paramref name="expected"/>.</summary>
    public bool Matches(ReadOnlySpan<byte> data, ReadOnlySpan<byte> expected)
    {
        Span<byte> actual = stackalloc byte[HashKinds.MaxLengthBytes];
        actual = actual[..lengthBytes];
        Hash(data, actual);
        return actual.SequenceEqual(expected);
    }
}
