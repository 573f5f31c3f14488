using Microsoft.Win32.SafeHandles;
using Restore.Ends.Portable;
using Restore.Ends.Unix;
using Restore.Format;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Ends;

public abstract partial class TargetConformance
{
    [Theory]
    [InlineData(0x1FF, 0x1A4, 0x1ED)]
    [InlineData(0x124, 0x124, 0x124)]
    [InlineData(0x180, 0x180, 0x180)]
    [InlineData(0x16D, 0x124, 0x16D)]
    [InlineData(null, 0x1A4, 0x1ED)]
    [NeedsLinux]
    public void What_is_new_is_private_until_it_gets_the_usual_mode_and_at_most_the_recorded_one(
        int? recorded,
        int file,
        int folder
    )
    {
        const int Mask = 0x12;
        Assert.SkipUnless(Mask == UnixCalls.FileMask(), "The modes of this test are those of the usual mask.");
        using IRestoreTarget target = Open(Temp.Root);
        target.CreateFolder("a/b");
        EntryMetadata metadata = Times(2007) with { Mode = recorded };
        using (ITargetFile open = target.OpenFile("a/b/file", TargetOpenMode.CreateNew))
        {
            Assert.Equal(0x180, Native.Mode(Temp.In("a/b/file")) & 0x1FF);
            Assert.All((string[])["a", "a/b", ""], path => Assert.Equal(0x1C0, Native.Mode(Temp.In(path)) & 0x1FF));
            Assert.Empty(open.ApplyMetadata(metadata, withPermissions: false));
        }

        using (target.OpenFile("a/b/shared", TargetOpenMode.Share))
        {
            Assert.Equal(0x180, Native.Mode(Temp.In("a/b/shared")) & 0x1FF);
        }

        Assert.Empty(target.ApplyMetadata("a/b", metadata, withPermissions: false));
        Assert.Equal(file, Native.Mode(Temp.In("a/b/file")));
        Assert.Equal(folder, Native.Mode(Temp.In("a/b")));
        target.FinishFolders([], new HashSet<string>());
        Assert.All((string[])["a", ""], path => Assert.Equal(0x1ED, Native.Mode(Temp.In(path))));
        Assert.Equal(folder, Native.Mode(Temp.In("a/b")));
    }

    [Fact]
    [NeedsLinux]
    public void What_an_interrupted_restore_made_gets_its_mode_and_what_the_user_made_keeps_it()
    {
        using (IRestoreTarget interrupted = Open(Temp.Root))
        {
            Write(interrupted, "a/b/file", "x"u8);
        }

        Directory.CreateDirectory(Temp.In("private"));
        File.WriteAllText(Temp.In("private/file"), "x");
        Native.SetMode(Temp.In("private"), 0x1C0);
        Native.SetMode(Temp.In("private/file"), 0x180);
        using IRestoreTarget target = Open(Temp.Root);
        foreach (string path in (string[])["a/b/file", "private/file"])
        {
            using ITargetFile file = target.OpenFile(path, TargetOpenMode.Patch);
            Assert.Empty(file.ApplyMetadata(Times(2008), withPermissions: false));
        }

        target.FinishFolders(["a", "a/b", "private"], new HashSet<string>());
        Assert.All((string[])["", "a", "a/b"], path => Assert.Equal(0x1ED, Native.Mode(Temp.In(path)) | 0x2D));
        Assert.NotEqual(0, Native.Mode(Temp.In("a/b/file")) & 0x24);
        Assert.Equal((0x1C0, 0x180), (Native.Mode(Temp.In("private")), Native.Mode(Temp.In("private/file"))));
    }

    [Fact]
    [NeedsLinux]
    public void A_file_that_replaces_another_takes_over_its_mode_and_its_extended_attributes()
    {
        using IRestoreTarget target = Open(Temp.Root);
        Write(target, "file", "old"u8);
        Write(target, "new", "new"u8);
        Native.SetMode(Temp.In("file"), 0x1E8);
        using (ITargetFile file = target.OpenFile("file", TargetOpenMode.Patch))
        {
            file.ApplyMetadata(
                new EntryMetadata
                {
                    ExtendedAttributes = [new("user.old", "1"u8.ToArray()), new("user.both", "1"u8.ToArray())],
                },
                false
            );
        }

        using (ITargetFile file = target.OpenFile("new", TargetOpenMode.Patch))
        {
            file.ApplyMetadata(Times(2009) with { ExtendedAttributes = [new("user.both", "2"u8.ToArray())] }, false);
        }

        target.Rename("new", "file", withPermissions: false);
        Assert.Equal("new", File.ReadAllText(Temp.In("file")));
        Assert.Equal(0x1E8, Native.Mode(Temp.In("file")));
        Assert.Equal(2009, File.GetLastWriteTimeUtc(Temp.In("file")).Year);
        Assert.Equal("2", Native.Attribute(Temp.In("file"), "user.both"));
        Assert.Equal(target is PortableTarget ? null : "1", Native.Attribute(Temp.In("file"), "user.old"));
        Assert.Equal(TargetKind.Nothing, target.Inspect("new").Kind);
    }

    [Fact]
    public void A_file_is_locked_until_it_is_closed()
    {
        using IRestoreTarget target = Open(Temp.Root);
        ITargetFile first = target.OpenFile("file", TargetOpenMode.CreateNew);
        Assert.True(first.TryLock());
        first.Write(0, "x"u8);
        first.Flush();
        Assert.False(IsFree());

        // As in a process that is being started.
        using SafeFileHandle? copy = OperatingSystem.IsLinux() ? Native.CopyOfHandle(Temp.In("file")) : null;
        first.Dispose();
        Assert.True(IsFree());
        Assert.Equal(["file"], target.NamesIn("", "fi"));
        Assert.Empty(target.NamesIn("nowhere", ""));

        // System.IO does not even open a file that is locked.
        bool IsFree()
        {
            try
            {
                using ITargetFile file = target.OpenFile("file", TargetOpenMode.Read);
                return file.TryLock();
            }
            catch (IOException)
            {
                return false;
            }
        }
    }
}
