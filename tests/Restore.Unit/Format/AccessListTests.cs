using Restore.Format;

namespace Restore.Tests.Format;

public sealed class AccessListTests
{
    private const uint None = uint.MaxValue;

    [Fact]
    public void A_list_has_a_row_of_text_for_each_of_its_rows_with_numbers_for_users_and_groups()
    {
        byte[] list = Bytes(2, (1, 7, None), (2, 4, 1000), (4, 5, None), (8, 2, 33), (16, 5, None), (32, 0, None));
        Assert.Equal(
            "user::rwx\nuser:1000:r--\ngroup::r-x\ngroup:33:-w-\nmask::r-x\nother::---\n",
            AccessList.ToText(list)
        );
    }

    [Fact]
    public void Bytes_that_are_no_list_have_no_text()
    {
        byte[] list = Bytes(2, (1, 7, None), (4, 5, None), (32, 0, None));
        Assert.NotNull(AccessList.ToText(list));
        Assert.Null(AccessList.ToText([]));
        Assert.Null(AccessList.ToText(list.AsSpan(0, 4)));
        Assert.Null(AccessList.ToText(list.AsSpan(0, list.Length - 1)));
        Assert.Null(AccessList.ToText(Bytes(3, (1, 7, None))));
        Assert.Null(AccessList.ToText(Bytes(2, (64, 7, None))));
        Assert.Null(AccessList.ToText(Bytes(2, (1, 8, None))));
    }

    [Fact]
    public void The_mode_without_a_list_has_the_rights_of_the_owning_group_in_place_of_the_mask()
    {
        byte[] list = Bytes(2, (1, 6, None), (2, 6, 7), (4, 0, None), (16, 6, None), (32, 0, None));
        Assert.Equal(0b110_000_000, AccessList.ModeWithout(0b110_110_000, [new(AccessList.Name, list)]));
        Assert.Equal(0b110_110_000, AccessList.ModeWithout(0b110_110_000, [new(AccessList.DefaultName, list)]));
    }

    private static byte[] Bytes(uint version, params (ushort Tag, ushort Rights, uint Id)[] rows)
    {
        using MemoryStream list = new();
        using BinaryWriter writer = new(list);
        writer.Write(version);
        foreach ((ushort tag, ushort rights, uint id) in rows)
        {
            writer.Write(tag);
            writer.Write(rights);
            writer.Write(id);
        }

        return list.ToArray();
    }
}
