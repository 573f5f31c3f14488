using Restore.Ends.Drill;
using Restore.Format;

namespace Restore.Tests.Ends;

public sealed class VerifyOnlyTargetTests
{
    [Fact]
    public void A_drill_counts_what_a_restore_would_write_and_writes_nothing()
    {
        using var temp = new TempFolder();
        using var target = new VerifyOnlyTarget(temp.Root);
        target.CreateFolder("a");
        using (ITargetFile file = target.OpenFile("a/b", TargetOpenMode.CreateNew))
        {
            file.Preallocate(2000);
            file.Write(500, new byte[1000]);
            file.Write(0, new byte[500]);
            Assert.Equal(2000, file.Length);
            file.SetLength(1500);
            Assert.Equal(1500, file.Length);
            file.SetModified(42);
            Assert.Equal(42, file.ModifiedTicks);
            Assert.Empty(file.ApplyMetadata(new EntryMetadata { Mode = 0x1FF }, withPermissions: true));
        }

        target.CreateSymlink("a/link", "b", isFolderLink: false);
        target.DeleteFile("a/b");
        Assert.Empty(target.ApplyMetadata("a", new EntryMetadata { Mode = 0 }, withPermissions: true));
        using (ITargetFile file = target.OpenFile("a/b", TargetOpenMode.Patch))
        {
            file.Write(1500, new byte[10]);
        }

        Assert.Equal(1510, target.BytesWritten);
        Assert.Equal(1, target.FilesCreated);
        Assert.False(Directory.Exists(temp.Root));
    }

    [Fact]
    public void Nothing_is_there_and_nothing_can_be_read_back()
    {
        using var target = new VerifyOnlyTarget();
        Assert.True(target.IsEmpty);
        Assert.False(target.CanReadBack);
        Assert.Equal(long.MaxValue, target.RoomAt("").FreeBytes);
        Assert.Equal(default, target.Inspect("a"));
        Assert.Null(target.ReadSymlink("a"));
        Assert.Throws<IOException>(() => target.OpenFile("a", TargetOpenMode.Read));
        using ITargetFile file = target.OpenFile("a", TargetOpenMode.CreateNew);
        Assert.Throws<InvalidOperationException>(() => file.Read(0, new byte[1]));
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
