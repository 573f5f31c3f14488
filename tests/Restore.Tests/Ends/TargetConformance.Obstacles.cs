using Restore.Resume;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Ends;

public abstract partial class TargetConformance
{
    [Fact]
    public void A_folder_in_the_way_of_a_file_is_never_removed()
    {
        using IRestoreTarget target = Open(Temp.Root);
        target.CreateFolder("thing");
        foreach (TargetOpenMode mode in Enum.GetValues<TargetOpenMode>())
        {
            Assert.Throws<IOException>(() => target.OpenFile("thing", mode));
        }

        Assert.ThrowsAny<SystemException>(() => target.DeleteFile("thing"));
        IOException exception = Assert.Throws<IOException>(() => Replace(target, "thing", "x"u8.ToArray()));
        Assert.Equal($"'{Temp.In("thing")}' could not be replaced: a folder is in the way", exception.Message);
        Assert.True(Directory.Exists(Temp.In("thing")));
    }

    [Fact]
    public void A_file_in_the_way_of_a_folder_is_an_error_of_that_entry()
    {
        using IRestoreTarget target = Open(Temp.Root);
        Write(target, "thing", "content"u8);
        Assert.Throws<IOException>(() => target.CreateFolder("thing"));
        Assert.Throws<IOException>(() => target.CreateFolder("thing/below"));
        Assert.Throws<IOException>(() => target.OpenFile("thing/below", TargetOpenMode.CreateNew));
        Assert.Equal(TargetKind.Nothing, target.Inspect("thing/below").Kind);
        Assert.Equal("content", File.ReadAllText(Temp.In("thing")));
    }

    [Fact]
    [NeedsLinux]
    public void A_pipe_in_the_way_is_left_alone_and_nothing_waits_for_it()
    {
        Directory.CreateDirectory(Temp.Root);
        Native.Fifo(Temp.In("pipe"));
        using IRestoreTarget target = Open(Temp.Root);
        Assert.Equal(TargetKind.Other, target.Inspect("pipe").Kind);
        foreach (TargetOpenMode mode in Enum.GetValues<TargetOpenMode>())
        {
            Assert.Throws<IOException>(() => target.OpenFile("pipe", mode));
        }

        Assert.Throws<IOException>(() => target.CreateSymlink("pipe", "x", isFolderLink: false));
        Assert.Equal(TargetKind.Other, target.Inspect("pipe").Kind);
    }

    [Fact]
    [NeedsLinux]
    public void An_empty_target_that_may_not_be_written_fails_the_run_of_all_but_the_root_user()
    {
        Directory.CreateDirectory(Temp.Root);
        Native.SetMode(Temp.Root, 0x140);
        using IRestoreTarget target = Open(Temp.Root);
        if (IsRoot)
        {
            Write(target, "a/b", "x"u8);
            return;
        }

        Assert.Equal(
            RestoreErrorKind.TargetNotWritable,
            Assert.Throws<RestoreException>(() => target.CreateFolder("a")).Kind
        );
        Assert.Equal(
            RestoreErrorKind.TargetNotWritable,
            Assert.Throws<RestoreException>(() => target.OpenFile("a", TargetOpenMode.CreateNew)).Kind
        );
    }

    [Fact]
    [NeedsLinux]
    public void A_folder_that_may_not_be_written_fails_its_own_entries_for_all_but_the_root_user()
    {
        using IRestoreTarget target = Open(Temp.Root);
        target.CreateFolder("closed");
        Native.SetMode(Temp.In("closed"), 0x140);
        if (IsRoot)
        {
            Write(target, "closed/file", "x"u8);
            return;
        }

        Assert.Throws<UnauthorizedAccessException>(() => target.OpenFile("closed/file", TargetOpenMode.CreateNew));
        Assert.Throws<UnauthorizedAccessException>(() => target.CreateFolder("closed/folder"));
        Write(target, "open/file", "x"u8);
    }

    [Fact]
    [NeedsLinux]
    public void A_full_target_fails_the_run_and_says_what_to_do()
    {
        Directory.CreateDirectory(Temp.Root);
        if (!Native.Mount(Temp.Root, "size=1m"))
        {
            Assert.Skip("A small file system can only be mounted by the root user.");
        }

        try
        {
            using IRestoreTarget target = Open(Temp.Root);
            RestoreException exception = Assert.Throws<RestoreException>(() => Write(target, "file", Bytes(2 << 20)));
            Assert.Equal(RestoreErrorKind.TargetNotWritable, exception.Kind);
            Assert.Equal($"The target is full ({Temp.In("file")})", exception.Message);
        }
        finally
        {
            Native.Unmount(Temp.Root);
        }
    }

    [Fact]
    [NeedsLinux]
    public void A_read_only_file_system_fails_the_run()
    {
        Directory.CreateDirectory(Temp.Root);
        if (!Native.Mount(Temp.Root, "size=1m,ro"))
        {
            Assert.Skip("A read-only file system can only be mounted by the root user.");
        }

        try
        {
            using IRestoreTarget target = Open(Temp.Root);
            Assert.Equal(
                RestoreErrorKind.TargetNotWritable,
                Assert.Throws<RestoreException>(() => target.CreateFolder("a/b")).Kind
            );
            Assert.Equal(
                RestoreErrorKind.TargetNotWritable,
                Assert.Throws<RestoreException>(() => target.OpenFile("a", TargetOpenMode.CreateNew)).Kind
            );
        }
        finally
        {
            Native.Unmount(Temp.Root);
        }
    }

    [Theory]
    [InlineData("nothing")]
    [InlineData("file")]
    [InlineData("folder")]
    [InlineData("link")]
    public void A_file_gets_its_path_only_if_nothing_is_there(string present)
    {
        Assert.SkipWhen(present == "link" && !NeedsLinksAttribute.HasLinks, "This system has no links.");
        using IRestoreTarget target = Open(Temp.Root);
        string partial = RecordNames.NextTo("folder/file", RecordNames.Partial(run: 1, number: 2));
        Write(target, partial, [1, 2, 3]);
        Action? make = present switch
        {
            "file" => () => Write(target, "folder/file", [9]),
            "folder" => () => target.CreateFolder("folder/file"),
            "link" => () => target.CreateSymlink("folder/file", "nowhere", isFolderLink: false),
            _ => null,
        };
        make?.Invoke();
        Assert.Equal(present == "nothing", target.TryPutInPlace(partial, "folder/file"));
        Assert.Equal(present == "nothing" ? TargetKind.Nothing : TargetKind.File, target.Inspect(partial).Kind);
        Assert.Equal(
            present switch
            {
                "folder" => TargetKind.Folder,
                "link" => TargetKind.Symlink,
                _ => TargetKind.File,
            },
            target.Inspect("folder/file").Kind
        );
        Assert.Equal(
            present switch
            {
                "nothing" => 3,
                "file" => 1,
                _ => target.Inspect("folder/file").SizeBytes,
            },
            target.Inspect("folder/file").SizeBytes
        );
    }
}
