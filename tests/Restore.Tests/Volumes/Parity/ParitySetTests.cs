using System.Buffers.Binary;
using System.Text;
using Restore.Volumes.Parity;

namespace Restore.Tests.Volumes.Parity;

/// <summary>
/// What is read of a parity file before the program sees it: which files it would write.
/// </summary>
public sealed class ParitySetTests
{
    [Fact]
    public void The_length_of_the_volume_is_read_from_wherever_the_packet_is() =>
        Assert.Equal(
            1234,
            ParitySet.LengthOfData([.. new byte[77], .. Packet("data", 1234), 1, 2, 3, .. Packet("data", 1234)])
        );

    [Theory]
    [InlineData("../data")]
    [InlineData("/etc/cron.d/data")]
    [InlineData("data2")]
    [InlineData("dat")]
    [InlineData("C:\\data")]
    public void A_set_that_names_another_file_is_refused(string name)
    {
        Assert.Throws<InvalidDataException>(() => ParitySet.LengthOfData(Packet(name, 10)));
        Assert.Throws<InvalidDataException>(() => ParitySet.LengthOfData([.. Packet("data", 10), .. Packet(name, 10)]));
    }

    [Fact]
    public void A_set_that_contradicts_itself_or_says_nothing_is_refused()
    {
        byte[][] sets =
        [
            [],
            new byte[5000],
            [.. Packet("data", 10), .. Packet("data", 11)],
            Packet("data", -1),
            Packet("data", 10)[..80],
            Packet("data", 10)[48..],
            [.. Packet("data", 10), .. "PAR 2.0\0UniFileN"u8],
        ];
        Assert.All(sets, set => Assert.Throws<InvalidDataException>(() => ParitySet.LengthOfData(set)));
    }

    /// <summary>A packet that describes a file.</summary>
    public static byte[] Packet(string name, long length)
    {
        byte[] packet = new byte[64 + 56 + ((Encoding.UTF8.GetByteCount(name) + 3) / 4 * 4)];
        "PAR2\0PKT"u8.CopyTo(packet);
        BinaryPrimitives.WriteInt64LittleEndian(packet.AsSpan(8), packet.Length);
        "PAR 2.0\0FileDesc"u8.CopyTo(packet.AsSpan(48));
        BinaryPrimitives.WriteInt64LittleEndian(packet.AsSpan(64 + 48), length);
        Encoding.UTF8.GetBytes(name).CopyTo(packet, 64 + 56);
        return packet;
    }
}
