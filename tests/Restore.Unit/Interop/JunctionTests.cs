using System.Buffers.Binary;
using System.Text;
using Restore.Ends.Portable;
using Restore.Interop;

namespace Restore.Tests.Interop;

/// <summary>Junctions of Windows: which links can be one, and what the system is given.</summary>
public sealed class JunctionTests
{
    [Theory]
    [InlineData(@"C:\Users\ann\Documents", true)]
    [InlineData(@"d:\x", true)]
    [InlineData("C:\\", true)]
    [InlineData("C:", false)]
    [InlineData("Documents", false)]
    [InlineData(@"..\Documents", false)]
    [InlineData(@"\Users\ann", false)]
    [InlineData(@"\\nas\share\folder", false)]
    [InlineData(@"C:\Users\..\ann", false)]
    [InlineData("C:/Users", false)]
    [InlineData("1:\\x", false)]
    [InlineData("", false)]
    public void An_absolute_link_to_a_place_on_a_drive_can_be_a_junction(string target, bool expected) =>
        Assert.Equal(expected, WindowsLinks.IsForJunction(target));

    [Theory]
    [InlineData(@"C:\Users\ann", @"C:\Users\ann")]
    [InlineData(@"C:\Users\ann\", @"C:\Users\ann")]
    [InlineData("C:\\", "C:\\")]
    public void The_reparse_point_has_the_path_for_the_system_and_the_one_for_people(string target, string shown)
    {
        byte[] data = Windows.JunctionData(target);
        int Number(int offset) => BinaryPrimitives.ReadUInt16LittleEndian(data.AsSpan(offset));
        Assert.Equal(0xA000_0003, BinaryPrimitives.ReadUInt32LittleEndian(data));
        Assert.Equal((data.Length - 8, 0), (Number(4), Number(6)));
        Assert.Equal(@"\??\" + shown, Encoding.Unicode.GetString(data, 16 + Number(8), Number(10)));
        Assert.Equal(shown, Encoding.Unicode.GetString(data, 16 + Number(12), Number(14)));
        Assert.All(
            (int[])[16 + Number(8) + Number(10), 16 + Number(12) + Number(14)],
            end => Assert.Equal(0, Number(end))
        );
        Assert.Equal(data.Length, 16 + Number(12) + Number(14) + 2);
    }
}
