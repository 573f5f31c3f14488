using Restore.Tests.Support.Machine;

namespace Restore.Tests.Ends;

public abstract partial class TargetConformance
{
    [Fact]
    [NeedsLinks]
    public void A_link_at_the_end_of_a_path_is_never_written_through()
    {
        Directory.CreateDirectory(Temp.Root);
        foreach (string name in (string[])["new", "patch", "read"])
        {
            File.CreateSymbolicLink(Temp.In(name), Temp.Victim);
        }

        File.CreateSymbolicLink(Temp.In("dangling"), Path.Join(Temp.Outside, "created"));
        File.CreateSymbolicLink(Temp.In("replace"), Temp.Victim);
        using IRestoreTarget target = Open(Temp.Root);
        Assert.Throws<IOException>(() => target.OpenFile("new", TargetOpenMode.CreateNew));
        Assert.Throws<IOException>(() => target.OpenFile("dangling", TargetOpenMode.CreateNew));
        Assert.Throws<IOException>(() => target.OpenFile("patch", TargetOpenMode.Patch));
        Assert.Throws<IOException>(() => target.OpenFile("read", TargetOpenMode.Read));
        Replace(target, "replace", "new"u8);
        Assert.Null(new FileInfo(Temp.In("replace")).LinkTarget);
        Assert.Equal("new", File.ReadAllText(Temp.In("replace")));
        target.DeleteFile("patch");
        Temp.AssertOutsideUntouched();
    }

    [Theory]
    [InlineData("link/file")]
    [InlineData("link/sub/file")]
    [InlineData("real/link/file")]
    [InlineData("real/link/sub/file")]
    [InlineData("chain/file")]
    [InlineData("inside/file")]
    [NeedsLinks]
    public void A_link_among_the_parents_is_never_followed(string path)
    {
        Directory.CreateDirectory(Temp.In("real"));
        Directory.CreateSymbolicLink(Temp.In("link"), Temp.Outside);
        Directory.CreateSymbolicLink(Temp.In("real/link"), "../../outside");
        Directory.CreateSymbolicLink(Temp.In("chain"), "link");
        Directory.CreateSymbolicLink(Temp.In("inside"), "real");
        using IRestoreTarget target = Open(Temp.Root);
        foreach (TargetOpenMode mode in Enum.GetValues<TargetOpenMode>())
        {
            Assert.Throws<IOException>(() => target.OpenFile(path, mode));
        }

        string victim = Path.Join(Path.GetDirectoryName(path)!, "victim");
        Assert.Equal(TargetKind.Nothing, target.Inspect(victim).Kind);
        target.DeleteFile(victim);
        Assert.Throws<IOException>(() => target.OpenFile(victim, TargetOpenMode.Read));
        Assert.Throws<IOException>(() => target.CreateFolder(path));
        Assert.Throws<IOException>(() => target.CreateSymlink(path, "x", isFolderLink: false));
        Assert.Single(target.ApplyMetadata(victim, Times(2001), withPermissions: false));
        Assert.Equal(["link"], Directory.EnumerateFileSystemEntries(Temp.In("real")).Select(Path.GetFileName));
        Temp.AssertOutsideUntouched();
    }

    [Fact]
    [NeedsLinks]
    public void A_link_made_by_the_restore_itself_is_not_followed_either()
    {
        using IRestoreTarget target = Open(Temp.Root);
        target.CreateSymlink("dir", Temp.Outside, isFolderLink: true);
        Assert.Throws<IOException>(() => target.CreateFolder("dir"));
        Assert.Throws<IOException>(() => target.OpenFile("dir/victim", TargetOpenMode.CreateNew));
        Assert.Throws<IOException>(() => target.OpenFile("dir/sub/new", TargetOpenMode.CreateNew));
        Temp.AssertOutsideUntouched();
    }

    [Fact]
    [NeedsLinux]
    public void Metadata_of_a_link_never_reaches_what_it_points_to()
    {
        using IRestoreTarget target = Open(Temp.Root);
        target.CreateSymlink("folder", Temp.Outside, isFolderLink: true);
        target.CreateSymlink("file", Temp.Victim, isFolderLink: false);
        var before = (
            Native.Modified(Temp.Outside),
            Native.Modified(Temp.Victim),
            Native.Owner(Temp.Outside),
            Native.Mode(Temp.Outside)
        );
        var metadata = Times(2001) with
        {
            Mode = 0,
            UserId = 12345,
            GroupId = 12345,
            ExtendedAttributes = [new("user.evil", "x"u8.ToArray())],
        };
        foreach (string name in (string[])["folder", "file"])
        {
            IReadOnlyList<string> shortfalls = target.ApplyMetadata(name, metadata, withPermissions: true);
            Assert.Equal(IsRoot ? 0 : 2, shortfalls.Count);
            Assert.Equal(2001, new FileInfo(Temp.In(name)).LastWriteTimeUtc.Year);
            Assert.Equal(IsRoot, Native.Owner(Temp.In(name)) == (12345u, 12345u));
        }

        Assert.Equal(
            before,
            (
                Native.Modified(Temp.Outside),
                Native.Modified(Temp.Victim),
                Native.Owner(Temp.Outside),
                Native.Mode(Temp.Outside)
            )
        );
        Assert.Null(Native.Attribute(Temp.Outside, "user.evil"));
        Temp.AssertOutsideUntouched();
    }

    [Theory]
    [InlineData("plain")]
    [InlineData("no/such/thing")]
    [InlineData("/absolute")]
    [InlineData("../up")]
    [InlineData("odd \n'\"\\ \u00e9 \U0001F600")]
    [NeedsLinks]
    public void A_link_keeps_its_target_as_recorded(string linkTarget)
    {
        using IRestoreTarget target = Open(Temp.Root);
        target.CreateSymlink("a/link", linkTarget, isFolderLink: false);
        Assert.Equal(linkTarget, new FileInfo(Temp.In("a/link")).LinkTarget);
        Assert.Equal(TargetKind.Symlink, target.Inspect("a/link").Kind);
        Assert.Equal(linkTarget, target.ReadSymlink("a/link"));
    }

    [Fact]
    [NeedsLinks]
    public void Only_a_link_has_a_target_to_read()
    {
        using IRestoreTarget target = Open(Temp.Root);
        Assert.Null(target.ReadSymlink("missing/link"));
        target.CreateFolder("folder");
        Write(target, "file", "x"u8);
        target.CreateSymlink("link", Temp.Outside, isFolderLink: true);
        Assert.Null(target.ReadSymlink("folder"));
        Assert.Null(target.ReadSymlink("file"));
        Assert.Null(target.ReadSymlink("file/below"));
        Assert.Null(target.ReadSymlink("link/victim"));
    }

    [Fact]
    [NeedsLinks]
    public void A_link_is_created_where_nothing_is_and_replaces_a_link_or_a_file_by_its_renaming_but_never_a_folder()
    {
        using IRestoreTarget target = Open(Temp.Root);
        target.CreateSymlink("link", "one", isFolderLink: false);
        Assert.Throws<IOException>(() => target.CreateSymlink("link", "two", isFolderLink: false));
        Assert.Equal("one", new FileInfo(Temp.In("link")).LinkTarget);

        Write(target, "file", "content"u8);
        Assert.Throws<IOException>(() => target.CreateSymlink("file", "two", isFolderLink: false));
        target.CreateFolder("folder");
        target.CreateSymlink("new", "two", isFolderLink: false);
        IOException exception = Assert.Throws<IOException>(() =>
            target.Rename("new", "folder", withPermissions: false)
        );
        Assert.Equal($"'{Temp.In("folder")}' could not be replaced: a folder is in the way", exception.Message);
        foreach (string path in (string[])["link", "file"])
        {
            target.Rename("new", path, withPermissions: false);
            Assert.Equal("two", new FileInfo(Temp.In(path)).LinkTarget);
            target.CreateSymlink("new", "two", isFolderLink: true);
        }

        Assert.True(Directory.Exists(Temp.In("folder")));
    }

    [Fact]
    [NeedsLinks]
    public void A_link_without_a_usable_target_is_an_error_of_that_entry()
    {
        using IRestoreTarget target = Open(Temp.Root);
        Assert.Throws<IOException>(() => target.CreateSymlink("link", "", isFolderLink: false));
        Assert.Throws<IOException>(() => target.CreateSymlink("link", "nul\0inside", isFolderLink: false));
        IOException exception = Assert.Throws<IOException>(() =>
            target.CreateSymlink("link", new string('x', 1_000_000), isFolderLink: false)
        );
        Assert.Equal(
            $"The link '{Temp.In("link")}' could not be created: its target is empty, too long, or not sound text",
            exception.Message
        );
        Assert.Equal(TargetKind.Nothing, target.Inspect("link").Kind);
    }

    [Theory]
    [InlineData("a/link", "x", true)]
    [InlineData("a/link", "../x", true)]
    [InlineData("a/link", "..", true)]
    [InlineData("a/link", "../../x", false)]
    [InlineData("a/link", "b/../../../x", false)]
    [InlineData("link", "..foo", true)]
    [InlineData("link", "./x//y", true)]
    [InlineData("link", "../root/x", false)]
    [InlineData("link", "../roots/x", false)]
    [InlineData("link", "../rootx", false)]
    [InlineData("link", "/etc/passwd", false)]
    [InlineData("link", "", false)]
    [InlineData("link", "x\0y", false)]
    public void A_link_that_goes_above_the_target_is_not_inside(string path, string linkTarget, bool inside)
    {
        using IRestoreTarget target = Open(Temp.Root);
        Assert.Equal(inside, target.IsInside(path, linkTarget));
        Assert.True(target.IsInside(path, Temp.In("absolute")));
        Assert.True(target.IsInside(path, Temp.Root));
    }

    [Theory]
    [InlineData("x/inner", true)]
    [InlineData("x/../secret", false)]
    [InlineData("a/b/x/../secret", false)]
    [InlineData("a/b/../secret", true)]
    [InlineData("a/b/y/../secret", true)]
    [InlineData("a/missing/../secret", false)]
    [InlineData("later/../secret", false)]
    [InlineData("a/file/../secret", false)]
    [InlineData("users/passwd", false)]
    [InlineData("users", false)]
    [InlineData("a/loop/x", false)]
    [NeedsLinks]
    public void A_link_goes_no_way_round_by_another_link(string linkTarget, bool inside)
    {
        using IRestoreTarget target = Open(Temp.Root);
        target.CreateFolder("a/b/deep");
        Write(target, "a/file", "x"u8);
        target.CreateSymlink("x", ".", isFolderLink: true);
        target.CreateSymlink("a/b/x", "../..", isFolderLink: true);
        target.CreateSymlink("a/b/y", "deep", isFolderLink: true);
        target.CreateSymlink("a/loop", "loop", isFolderLink: true);
        target.CreateSymlink("later", "a/missing", isFolderLink: true);
        target.CreateSymlink("users", "/etc", isFolderLink: true);
        Assert.Equal(inside, target.IsInside("link", linkTarget));
        Assert.Equal(inside, target.IsInside("link", Temp.In(linkTarget)));
    }
}
