using Restore.Encryption;
using Restore.Format;

namespace Restore.Reading.Extracting;

/// <summary>Compares blocks with their hashes. Safe for concurrent use.</summary>
/// <param name="kind">The hash of the backup.</param>
/// <param name="library">Hashes short blocks; null to leave all to .NET.</param>
internal sealed class BlockVerifier(HashKind kind, LibCrypto? library)
{
    // For a block of some hundred bytes the layers above the library cost several times as much as the hash; at this length a tenth of it.
    private const int ShortBytes = 16 << 10;

    private readonly LibCrypto? library = kind == HashKind.Sha256 ? library : null;

    /// <summary>Uses the system's library, if there is one.</summary>
    public BlockVerifier(HashKind kind)
        : this(kind, LibCrypto.TryLoad())
    {
    }

    public bool Matches(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> expected)
    {
        if (library is null || bytes.Length > ShortBytes)
        {
            return kind.Matches(bytes, expected);
        }

        Span<byte> actual = stackalloc byte[LibCrypto.DigestBytes];
        library.Hash(bytes, actual);
        return actual.SequenceEqual(expected);
    }
}
