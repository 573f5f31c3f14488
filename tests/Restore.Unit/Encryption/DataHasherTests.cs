using Restore.Encryption;
using Restore.Format;

namespace Restore.Tests.Encryption;

public sealed class DataHasherTests
{
    // Around the padding of the hash, and around the length from which on .NET hashes.
    private static readonly int[] Lengths = [0, 1, 55, 56, 63, 64, 65, 300, 4096, 16 << 10, (16 << 10) + 1, 1 << 20];

    public static MatrixTheoryData<string, bool> Ways() => new(Enum.GetNames<HashKind>(), [true, false]);

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_block_has_its_own_hash_and_no_other(string hash, bool useLibrary)
    {
        HashKind kind = Enum.Parse<HashKind>(hash);
        DataHasher hasher = new(kind, useLibrary ? LibCrypto.TryLoad() : null);
        Assert.All(
            Lengths,
            length =>
            {
                byte[] block = new byte[length];
                new Random(length).NextBytes(block);
                byte[] expected = kind.HashData(block);
                Assert.Equal(expected, hasher.Hash(block));
                Assert.True(hasher.Matches(block, expected));
                expected[^1] ^= 1;
                Assert.False(hasher.Matches(block, expected));
                Assert.False(hasher.Matches(block, expected.AsSpan(0, expected.Length - 1)));
            }
        );
    }

    [Fact]
    public void The_library_of_the_system_is_used_on_Linux() =>
        Assert.True(!OperatingSystem.IsLinux() || LibCrypto.TryLoad() is not null);
}
