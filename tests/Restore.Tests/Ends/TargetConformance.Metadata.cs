using Restore.Ends.Unix;
using Restore.Format;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Ends;

public abstract partial class TargetConformance
{
    public static TheoryData<long> Moments =>
        [
            new DateTime(2026, 3, 4, 5, 6, 7, DateTimeKind.Utc).Ticks + 1_234_567,
            DateTime.UnixEpoch.Ticks,
            DateTime.UnixEpoch.Ticks - 1,
            new DateTime(1969, 12, 31, 23, 59, 59, DateTimeKind.Utc).Ticks,
            new DateTime(1910, 1, 1, 0, 0, 0, DateTimeKind.Utc).Ticks + 7,
            new DateTime(2100, 12, 31, 23, 59, 59, DateTimeKind.Utc).Ticks + 3,
        ];

    [Theory]
    [MemberData(nameof(Moments))]
    public void Times_are_set_to_100_nanoseconds_on_files_folders_and_links(long ticks)
    {
        using IRestoreTarget target = Open(Temp.Root);
        var metadata = new EntryMetadata { LastWriteTicks = ticks };
        target.CreateFolder("folder");
        string[] links = NeedsLinksAttribute.HasLinks ? ["link"] : [];
        Array.ForEach(links, link => target.CreateSymlink(link, "nowhere", isFolderLink: false));
        using (ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew))
        {
            file.Write(0, "content"u8);
            Assert.Empty(file.ApplyMetadata(metadata, withPermissions: false));
            Assert.Equal(ticks, file.ModifiedTicks);
        }

        using (ITargetFile file = target.OpenFile("alone", TargetOpenMode.CreateNew))
        {
            file.SetModified(ticks);
        }

        Assert.All(
            links.Append("folder"),
            path => Assert.Empty(target.ApplyMetadata(path, metadata, withPermissions: false))
        );
        foreach (string name in (string[])["file", "alone", "folder", .. links])
        {
            (long seconds, uint nanoseconds) = Native.Modified(Temp.In(name));
            Assert.Equal(ticks, DateTime.UnixEpoch.Ticks + (seconds * TimeSpan.TicksPerSecond) + (nanoseconds / 100));
            Assert.Equal(0u, nanoseconds % 100);
            Assert.Equal(ticks, target.Inspect(name).ModifiedTicks);
        }
    }

    [Fact]
    public void The_time_can_be_set_on_a_file_that_is_open_for_reading()
    {
        using IRestoreTarget target = Open(Temp.Root);
        Write(target, "file", "content"u8);
        using ITargetFile file = target.OpenFile("file", TargetOpenMode.Read);
        Assert.Empty(file.ApplyMetadata(Times(1999), withPermissions: false));
        Assert.Equal(1999, File.GetLastWriteTimeUtc(Temp.In("file")).Year);
    }

    [Fact]
    [NeedsLinux]
    public void The_root_and_folders_get_their_metadata()
    {
        using IRestoreTarget target = Open(Temp.Root);
        target.CreateFolder("a/b");
        var metadata = Times(2002) with
        {
            Mode = 0x1ED,
            Attributes = FileAttributes.Directory | FileAttributes.ReadOnly,
        };
        foreach (string folder in (string[])["a/b", "a", ""])
        {
            Assert.Empty(target.ApplyMetadata(folder, metadata, withPermissions: true));
        }

        foreach (string folder in (string[])["a/b", "a", ""])
        {
            Assert.Equal(2002, Directory.GetLastWriteTimeUtc(Temp.In(folder)).Year);
            Assert.Equal(0x1ED, Native.Mode(Temp.In(folder)));
        }
    }

    [Fact]
    [NeedsLinux]
    public void Without_permissions_only_the_times_and_the_read_only_attribute_are_applied()
    {
        using IRestoreTarget target = Open(Temp.Root);
        File.WriteAllText(Path.Join(Temp.Outside, "plain"), "x");
        int usual = Native.Mode(Path.Join(Temp.Outside, "plain"));
        var metadata = Times(2003) with { Mode = 0x1FF, UserId = 12345, GroupId = 12345 };
        using (ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew))
        {
            Assert.Empty(file.ApplyMetadata(metadata, withPermissions: false));
        }

        using (ITargetFile file = target.OpenFile("read-only", TargetOpenMode.CreateNew))
        {
            Assert.Empty(
                file.ApplyMetadata(metadata with { Attributes = FileAttributes.ReadOnly }, withPermissions: false)
            );
        }

        Assert.Equal(usual, Native.Mode(Temp.In("file")));
        Assert.Equal(usual & ~0x92, Native.Mode(Temp.In("read-only")));
        Assert.Equal(Native.Owner(Path.Join(Temp.Outside, "plain")), Native.Owner(Temp.In("file")));
        Assert.Equal(2003, File.GetLastWriteTimeUtc(Temp.In("read-only")).Year);
    }

    [Theory]
    [InlineData(0x1FF)]
    [InlineData(0x124)]
    [InlineData(0x000)]
    [NeedsLinux]
    public void Modes_are_applied_whatever_they_forbid(int mode)
    {
        using IRestoreTarget target = Open(Temp.Root);
        target.CreateFolder("folder");
        var metadata = Times(2004) with { Mode = mode, ExtendedAttributes = [new("user.note", "kept"u8.ToArray())] };
        using (ITargetFile file = target.OpenFile("folder/file", TargetOpenMode.CreateNew))
        {
            Assert.Empty(file.ApplyMetadata(metadata, withPermissions: true));
            file.Write(0, "still open"u8);
        }

        Assert.Equal(mode, Native.Mode(Temp.In("folder/file")));
        Assert.Equal(
            IsRoot || mode == 0x1FF || mode == 0x124 ? "kept" : null,
            Native.Attribute(Temp.In("folder/file"), "user.note")
        );
        Assert.Empty(target.ApplyMetadata("folder", metadata, withPermissions: true));
        Assert.Equal(mode, Native.Mode(Temp.In("folder")));
        Assert.Empty(target.ApplyMetadata("folder", Times(2005), withPermissions: false));
        Assert.Equal(mode, Native.Mode(Temp.In("folder")));
        Assert.Equal(2005, Directory.GetLastWriteTimeUtc(Temp.In("folder")).Year);
    }

    [Fact]
    [NeedsLinux]
    public void Bits_beyond_the_permissions_are_never_set()
    {
        using IRestoreTarget target = Open(Temp.Root);
        using ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew);
        Assert.Empty(file.ApplyMetadata(new EntryMetadata { Mode = 0xFED }, withPermissions: true));
        Assert.Equal(0x1ED, Native.Mode(Temp.In("file")));
    }

    [Fact]
    [NeedsLinux]
    public void Owners_are_set_by_name_before_id_or_the_report_says_why_not()
    {
        using IRestoreTarget target = Open(Temp.Root);
        using ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew);
        var metadata = new EntryMetadata
        {
            OwnerName = "daemon",
            UserId = 12345,
            GroupName = "no such group, surely",
            GroupId = 54321,
            Mode = 0x180,
        };
        IReadOnlyList<string> shortfalls = file.ApplyMetadata(metadata, withPermissions: true);
        Assert.Equal(0x180, Native.Mode(Temp.In("file")));
        if (IsRoot)
        {
            Assert.Empty(shortfalls);
            Assert.Equal((1u, 54321u), Native.Owner(Temp.In("file")));
            return;
        }

        const string Reason = "the user or the file system may not do that";
        Assert.Equal(
            [$"The owner could not be set to 1: {Reason}", $"The group could not be set to 54321: {Reason}"],
            shortfalls
        );
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [NeedsLinux]
    public void Extended_attributes_of_users_are_set_and_those_that_give_rights_never(bool withPermissions)
    {
        using IRestoreTarget target = Open(Temp.Root);
        string[] names = ["user.note", "trusted.note", "security.note", "security.capability"];
        var metadata = new EntryMetadata
        {
            ExtendedAttributes = [.. names.Select(name => KeyValuePair.Create(name, "text"u8.ToArray()))],
        };
        target.CreateFolder("folder");
        Assert.Empty(target.ApplyMetadata("folder", metadata, withPermissions));
        using (ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew))
        {
            Assert.Empty(file.ApplyMetadata(metadata, withPermissions));
        }

        foreach (string path in (string[])["folder", "file"])
        {
            Assert.Equal(["text", null, null, null], names.Select(name => Native.Attribute(Temp.In(path), name)));
        }
    }

    [Fact]
    [NeedsLinux]
    public void Extended_attributes_that_cannot_be_set_are_sentences()
    {
        using IRestoreTarget target = Open(Temp.Root);
        using ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew);
        string[] names =
        [
            "",
            "user.",
            "nonsense",
            "user.nul\0inside",
            "user." + new string('n', 300),
            "com.apple.quarantine",
        ];
        var attributes = names.Select(name => KeyValuePair.Create(name, "v"u8.ToArray()));
        var metadata = new EntryMetadata { ExtendedAttributes = [.. attributes, new("user.big", new byte[1 << 20])] };
        IReadOnlyList<string> shortfalls = file.ApplyMetadata(metadata, withPermissions: true);
        Assert.Equal(7, shortfalls.Count);
        Assert.All(
            shortfalls,
            sentence => Assert.StartsWith("The extended attribute '", sentence, StringComparison.Ordinal)
        );
        Assert.All(shortfalls, sentence => Assert.False(sentence.EndsWith('.'), sentence));
    }

    [Theory]
    [InlineData(true, 4, 0x1A4)]
    [InlineData(true, 0, 0x184)]
    [InlineData(false, 4, 0x1A4)]
    [InlineData(false, 0, 0x184)]
    [NeedsLinux]
    public void Without_its_access_list_a_file_gives_its_group_no_more_than_the_list_did(
        bool withPermissions,
        ushort group,
        int mode
    )
    {
        Assert.SkipUnless(UnixCalls.FileMask() == 0x12, "The modes of this test are those of the usual mask.");
        using IRestoreTarget target = Open(Temp.Root);
        byte[] refused = Native.AccessList((1, 6, ~0u), (2, 7, 77), (4, group, ~0u), (0x20, 4, ~0u));
        var metadata = new EntryMetadata
        {
            Mode = 0x1BC,
            ExtendedAttributes = [new("system.posix_acl_access", refused)],
        };
        using ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew);
        IReadOnlyList<string> shortfalls = file.ApplyMetadata(metadata, withPermissions);
        Assert.Equal(withPermissions ? 1 : 0, shortfalls.Count);
        Assert.All(
            shortfalls,
            said =>
                Assert.StartsWith(
                    "The extended attribute 'system.posix_acl_access' could not be set",
                    said,
                    StringComparison.Ordinal
                )
        );
        Assert.Equal(mode, Native.Mode(Temp.In("file")));
    }

    [Fact]
    [NeedsLinux]
    public void Access_lists_are_set_after_other_attributes_which_they_may_forbid_to_set()
    {
        using IRestoreTarget target = Open(Temp.Root);
        byte[] list = Native.AccessList((1, 4, ~0u), (2, 4, 77), (4, 0, ~0u), (0x10, 4, ~0u), (0x20, 0, ~0u));
        var metadata = new EntryMetadata
        {
            Mode = 0x120,
            ExtendedAttributes = [new("system.posix_acl_access", list), new("user.note", "kept"u8.ToArray())],
        };
        using ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew);
        Assert.Empty(file.ApplyMetadata(metadata, withPermissions: true));
        string[] wanted =
        [
            $"system.posix_acl_access={Convert.ToBase64String(list)}",
            $"user.note={Convert.ToBase64String("kept"u8)}",
        ];
        Assert.Equal(wanted, FileFacts.ExtendedAttributes(Temp.In("file")).Split(' '));
        Assert.Equal(0x120, Native.Mode(Temp.In("file")));
    }

    [Fact]
    public void Metadata_for_something_that_is_not_there_is_a_sentence()
    {
        using IRestoreTarget target = Open(Temp.Root);
        Assert.Single(target.ApplyMetadata("a/b", Times(2006), withPermissions: true));
        Write(target, "file", "x"u8);
        Assert.Single(target.ApplyMetadata("missing", Times(2006), withPermissions: true));
        Assert.Single(target.ApplyMetadata("file", Times(2006), withPermissions: true));
        Assert.NotEqual(2006, File.GetLastWriteTimeUtc(Temp.In("file")).Year);
    }

    [Fact]
    [NeedsLinux]
    public void No_metadata_at_all_changes_nothing()
    {
        using IRestoreTarget target = Open(Temp.Root);
        target.CreateFolder("folder");
        Native.SetMode(Temp.In("folder"), 0x1C0);
        var before = (Native.Modified(Temp.In("folder")), Native.Mode(Temp.In("folder")));
        Assert.Empty(target.ApplyMetadata("folder", EntryMetadata.Empty, withPermissions: true));
        Assert.Equal(before, (Native.Modified(Temp.In("folder")), Native.Mode(Temp.In("folder"))));
    }

    private protected static EntryMetadata Times(int year) =>
        new() { LastWriteTicks = new DateTime(year, 2, 3, 4, 5, 6, DateTimeKind.Utc).Ticks };
}
