using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Restore.Format;

namespace Restore.Tests.Format;

public class BlockNameTests
{
    [Fact]
    public void Names_decode_to_the_hash_they_were_made_of()
    {
        Gen<byte[]> hashes =
            from length in Gen.Elements(16, 20, 32, 48, 64)
            from hash in Gen.ArrayOf(ArbMap.Default.GeneratorFor<byte>(), length)
            select hash;
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                hashes.ToArbitrary(),
                hash =>
                {
                    string name = BlockName.Format(hash);
                    Span<byte> decoded = stackalloc byte[64];
                    Assert.Equal(Convert.ToBase64String(hash).Replace('+', '-').Replace('/', '_'), name);
                    Assert.True(BlockName.TryDecode(Encoding.ASCII.GetBytes(name), decoded, out int length));
                    Assert.Equal(hash, decoded[..length]);
                }
            )
        );
    }

    [Theory]
    [InlineData("")]
    [InlineData("manifest")]
    [InlineData("xmR7I2LTexbvIr6WL2Li3_RlqiBi_LrtVWfkQyYEcxA")]
    [InlineData("xmR7I2LTexbvIr6WL2Li3/RlqiBi/LrtVWfkQyYEcxA=")]
    [InlineData("xmR7I2LTexbvIr6WL2Li3_RlqiBi_LrtVWfkQyYEcxA%")]
    [InlineData("xmR7I2LTexbvIr6WL2Li3_RlqiBi_LrtVWfkQyYEcx==")]
    [InlineData(" mR7I2LTexbvIr6WL2Li3_RlqiBi_LrtVWfkQyYEcxA=")]
    [InlineData("====================================================")]
    [InlineData("../../../../../../../../../../../../tmp/evil")]
    public void A_name_that_is_not_a_block_does_not_decode(string name)
    {
        Assert.False(BlockName.TryDecode(Encoding.UTF8.GetBytes(name), new byte[64], out int length));
        Assert.Equal(0, length);
    }

    [Fact]
    public void A_hash_longer_than_the_room_for_it_is_refused() =>
        Assert.False(BlockName.TryDecode("xmR7I2LTexbvIr6WL2Li3_RlqiBi_LrtVWfkQyYEcxA="u8, new byte[31], out _));

    [Fact]
    public void Every_block_of_a_real_volume_has_the_hash_its_name_says()
    {
        int blocks = 0;
        byte[] hash = new byte[64];
        foreach ((string name, byte[] content) in Volumes.Of("plain-1mb", "dblock").SelectMany(Volumes.Entries))
        {
            bool isBlock = BlockName.TryDecode(Encoding.ASCII.GetBytes(name), hash, out int length);
            Assert.Equal(name != "manifest", isBlock);
            Assert.True(!isBlock || HashKind.Sha256.Matches(content, hash.AsSpan(0, length)), name);
            blocks += isBlock ? 1 : 0;
        }

        Assert.True(blocks > 100);
    }

    [Fact]
    public void Decoding_and_encoding_allocate_nothing()
    {
        byte[] hash = new byte[64];
        byte[] name = new byte[BlockName.MaxLengthBytes];
        int length = BlockName.Encode(hash.AsSpan(0, 32), name);
        BlockName.TryDecode(name.AsSpan(0, length), hash, out _);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1000; i++)
        {
            BlockName.TryDecode(name.AsSpan(0, BlockName.Encode(hash.AsSpan(0, 32), name)), hash, out _);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Entries_of_an_index_volume_differ_by_their_folder()
    {
        byte[] hash = new byte[64];
        Assert.True(IndexEntryName.TryGetVolume("vol/duplicati-b00.dblock.zip"u8, out ReadOnlySpan<byte> volume));
        Assert.Equal("duplicati-b00.dblock.zip"u8, volume);
        Assert.False(IndexEntryName.TryGetVolume("vol/"u8, out _));
        Assert.False(IndexEntryName.TryGetVolume("manifest"u8, out _));
        Assert.True(
            IndexEntryName.TryGetBlocklist("list/xmR7I2LTexbvIr6WL2Li3_RlqiBi_LrtVWfkQyYEcxA="u8, hash, out int length)
        );
        Assert.Equal(32, length);
        Assert.False(
            IndexEntryName.TryGetBlocklist("LIST/xmR7I2LTexbvIr6WL2Li3_RlqiBi_LrtVWfkQyYEcxA="u8, hash, out _)
        );
        Assert.False(IndexEntryName.TryGetBlocklist("list/not-a-hash"u8, hash, out _));
        byte[] name = new byte[IndexEntryName.MaxBlocklistNameBytes];
        int nameLength = IndexEntryName.OfBlocklist(hash.AsSpan(0, length), name);
        Assert.Equal("list/xmR7I2LTexbvIr6WL2Li3_RlqiBi_LrtVWfkQyYEcxA="u8, name.AsSpan(0, nameLength));
        Assert.Equal("vol/x", IndexEntryName.OfVolume("x"));
    }
}
