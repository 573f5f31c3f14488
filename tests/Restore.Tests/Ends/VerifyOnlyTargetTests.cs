using Restore.Ends.Drill;
using Restore.Format;

namespace Restore.Tests.Ends;

public sealed class VerifyOnlyTargetTests
{
    [Fact]
    public void A_drill_writes_nothing()
    {
        using var temp = new TempFolder();
        using var target = new VerifyOnlyTarget(temp.Root);
        target.CreateFolder("a");
        target.CreateSymlink("a/link", "b", isFolderLink: false);
        target.DeleteFile("a/b");
        Assert.Empty(target.ApplyMetadata("a", new EntryMetadata { Mode = 0 }, withPermissions: true));
        Assert.False(Directory.Exists(temp.Root));
    }

    [Fact]
    public void Nothing_is_there_and_no_file_is_opened()
    {
        using var target = new VerifyOnlyTarget();
        Assert.True(target.IsEmpty);
        Assert.Equal(long.MaxValue, target.RoomAt("").FreeBytes);
        Assert.Equal(default, target.Inspect("a"));
        Assert.Null(target.ReadSymlink("a"));
        Assert.Throws<IOException>(() => target.OpenFile("a", TargetOpenMode.Read));
        Assert.Throws<IOException>(() => target.OpenFile("a", TargetOpenMode.CreateNew));
    }

    [Fact]
    public void Paths_and_links_are_judged_as_the_restore_would()
    {
        using var target = new VerifyOnlyTarget("/somewhere/root");
        Assert.Equal("/somewhere/root/a/b", target.Display("a/b"));
        Assert.False(target.IsInside("link", "../outside"));
        Assert.True(target.IsInside("link", "inside"));
        foreach (string path in (string[])["..", "a/../b", "/a", "nul\0"])
        {
            Assert.Throws<IOException>(() => target.Inspect(path));
            Assert.Throws<IOException>(() => target.CreateFolder(path));
            Assert.Throws<IOException>(() => target.OpenFile(path, TargetOpenMode.CreateNew));
            Assert.Throws<IOException>(() => target.CreateSymlink(path, "x", isFolderLink: false));
            Assert.Throws<IOException>(() => target.DeleteFile(path));
        }
    }
}
