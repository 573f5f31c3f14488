using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Restore.Compression;

namespace Restore.Tests.Compression;

public class Crc32Tests
{
    [Theory]
    [InlineData("", 0x00000000u)]
    [InlineData("a", 0xE8B7BE43u)]
    [InlineData("123456789", 0xCBF43926u)]
    [InlineData("The quick brown fox jumps over the lazy dog", 0x414FA339u)]
    public void Known_values_come_out(string text, uint crc)
    {
        byte[] data = Encoding.ASCII.GetBytes(text);
        Assert.Equal(crc, Crc32.Append(0, data));
        Assert.Equal(crc, Volumes.Native.Crc32(data));
        Assert.Equal(crc, Volumes.Managed.Crc32(data));
    }

    [Fact]
    public void Eight_bytes_a_step_is_the_same_as_one_and_as_the_library() => Check.One(
        Config.QuickThrowOnFailure,
        Prop.ForAll<byte[]>(data => Bitwise(data) == Crc32.Append(0, data) && Bitwise(data) == Volumes.Native.Crc32(data)));

    [Fact]
    public void In_pieces_is_the_same_as_at_once() => Check.One(
        Config.QuickThrowOnFailure,
        Prop.ForAll<byte[], byte[]>((first, second) =>
        {
            byte[] all = [.. first, .. second];
            return Volumes.Managed.Crc32(second, Volumes.Managed.Crc32(first)) == Bitwise(all)
                && Volumes.Native.Crc32(second, Volumes.Native.Crc32(first)) == Bitwise(all);
        }));

    private static uint Bitwise(byte[] data)
    {
        uint crc = uint.MaxValue;
        foreach (byte value in data)
        {
            crc ^= value;
            for (int bit = 0; bit < 8; bit++)
            {
                crc = (crc & 1) == 0 ? crc >> 1 : (crc >> 1) ^ 0xEDB88320;
            }
        }

        return ~crc;
    }
}
