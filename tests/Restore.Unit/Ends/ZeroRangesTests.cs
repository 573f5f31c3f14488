using Restore.Ends.Portable;

namespace Restore.Tests.Ends;

public sealed class ZeroRangesTests
{
    private const int Unit = 1 << 16;

    [Theory]
    [InlineData("", "")]
    [InlineData("x", "")]
    [InlineData("0", "0-1")]
    [InlineData("000", "0-3")]
    [InlineData("0x0", "0-1 2-3")]
    [InlineData("x00x0000x", "1-3 4-8")]
    public void Whole_units_of_zeros_are_found_and_joined(string units, string expected)
    {
        byte[] content = [.. units.SelectMany(unit => Enumerable.Repeat((byte)(unit - '0'), Unit))];
        Assert.Equal(expected, Text(content, Unit));
    }

    [Fact]
    public void A_range_goes_on_over_the_end_of_a_buffer()
    {
        byte[] content = new byte[40 * Unit];
        content[3] = 1;
        content[35 * Unit] = 1;
        Assert.Equal("1-35 36-40", Text(content, Unit));
    }

    [Fact]
    public void The_last_range_ends_with_the_file()
    {
        byte[] content = new byte[Unit + 100];
        content[0] = 1;
        Assert.Equal($"{Unit}-{Unit + 100}", Text(content, 1));
    }

    [Fact]
    public void One_byte_in_a_unit_keeps_it()
    {
        byte[] content = new byte[3 * Unit];
        content[(2 * Unit) - 1] = 1;
        Assert.Equal("0-1 2-3", Text(content, Unit));
    }

    private static string Text(byte[] content, int unit) =>
        string.Join(
            ' ',
            ZeroRanges
                .Of(
                    (offset, buffer) =>
                    {
                        int length = (int)Math.Min(buffer.Length, content.Length - offset);
                        content.AsSpan((int)offset, length).CopyTo(buffer);
                        return length;
                    }
                )
                .Select(range => $"{range.From / unit}-{range.To / unit}")
        );
}
