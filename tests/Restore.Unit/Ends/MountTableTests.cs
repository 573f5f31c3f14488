using Restore.Ends.Linux;

namespace Restore.Tests.Ends;

/// <summary>Which mount a path is on, by the list of mounts of the process.</summary>
public sealed class MountTableTests
{
    private static readonly string[] List =
    [
        "21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
        "30 21 8:1 /home/mine /out/bound rw shared:1 - ext4 /dev/sda1 rw",
        @"31 21 8:1 /x /out/with\040blank\134and\011tab rw - ext4 /dev/sda1 rw",
        "32 30 8:1 /y /out/bound/nested rw - ext4 /dev/sda1 rw",
        "33 21 0:50 / /out/twice rw - tmpfs tmpfs rw",
        "34 33 0:51 / /out/twice rw - tmpfs tmpfs rw",
        "not a mount",
    ];

    [Theory]
    [InlineData("", 21)]
    [InlineData("file", 21)]
    [InlineData("boundary", 21)]
    [InlineData("bound", 30)]
    [InlineData("bound/deep/file", 30)]
    [InlineData("bound/nested/file", 32)]
    [InlineData("with blank\\and\ttab", 31)]
    [InlineData("twice/file", 34)]
    public void A_path_is_on_the_last_mount_above_it(string path, ulong number) =>
        Assert.Equal(number, new MountTable(List, "/out").MountOf(path));

    [Fact]
    public void The_root_of_the_system_is_a_folder_like_others() =>
        Assert.Equal(30ul, new MountTable(List, "/").MountOf("out/bound"));

    [Fact]
    public void Without_a_mount_at_the_root_all_of_it_is_on_one() =>
        Assert.Equal(new MountTable([], "/out").MountOf(""), new MountTable([], "/out").MountOf("a/b"));
}
