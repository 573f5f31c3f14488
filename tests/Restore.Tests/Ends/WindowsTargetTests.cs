using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;
using Restore.Ends;
using Restore.Ends.Portable;
using Restore.Format;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Ends;

/// <summary>
/// What only a target on Windows does: attributes, access rules, drives, files that other programs
/// hold open.
/// </summary>
[NeedsWindows]
[SupportedOSPlatform("windows")]
public sealed class WindowsTargetTests : IDisposable
{
    private readonly TempFolder temp = new();
    private readonly PortableTarget target;

    public WindowsTargetTests() => target = new PortableTarget(temp.Root);

    [Theory]
    [InlineData(FileAttributes.ReadOnly)]
    [InlineData(FileAttributes.Hidden)]
    [InlineData(FileAttributes.System | FileAttributes.Hidden)]
    [InlineData(FileAttributes.ReadOnly | FileAttributes.Archive)]
    public void Attributes_are_set_on_files_and_folders_together_with_their_times(FileAttributes attributes)
    {
        const FileAttributes Compared = FileAttributes.ReadOnly | FileAttributes.Hidden | FileAttributes.System;
        EntryMetadata metadata = Metadata(2011) with { Attributes = attributes };
        target.CreateFolder("folder");
        using (ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew))
        {
            file.Write(0, "content"u8);
            Assert.Empty(file.ApplyMetadata(metadata, withPermissions: false));
        }

        Assert.Empty(target.ApplyMetadata("folder", metadata, withPermissions: false));
        Assert.Equal(attributes & Compared, File.GetAttributes(temp.In("file")) & Compared);
        Assert.Equal(2011, File.GetLastWriteTimeUtc(temp.In("file")).Year);
        Assert.Equal(2011, Directory.GetLastWriteTimeUtc(temp.In("folder")).Year);
    }

    [Fact]
    public void A_read_only_file_can_be_patched_replaced_and_removed_and_get_its_time()
    {
        foreach (string name in (string[])["patched", "replaced", "removed", "touched"])
        {
            Write(name, "0123"u8);
            File.SetAttributes(temp.In(name), FileAttributes.ReadOnly);
        }

        using (ITargetFile file = target.OpenFile("touched", TargetOpenMode.Read))
        {
            Assert.Empty(
                file.ApplyMetadata(Metadata(2012) with { Attributes = FileAttributes.ReadOnly }, withPermissions: false)
            );
        }

        using (ITargetFile file = target.OpenFile("patched", TargetOpenMode.Patch))
        {
            file.Write(0, "ab"u8);
        }

        Write("new", "new"u8);
        target.Rename("new", "replaced", withPermissions: false);
        target.DeleteFile("removed");
        Assert.Equal(2012, File.GetLastWriteTimeUtc(temp.In("touched")).Year);
        Assert.Equal("ab23", File.ReadAllText(temp.In("patched")));
        Assert.Equal("new", File.ReadAllText(temp.In("replaced")));
        Assert.False(File.Exists(temp.In("removed")));
    }

    [Fact]
    public void Patching_one_of_two_names_of_a_file_leaves_the_other_alone()
    {
        Write("one", "0123"u8);
        Native.HardLink(temp.In("one"), temp.In("two"));
        Assert.Equal(2, target.Inspect("one").LinkCount);
        using (ITargetFile file = target.OpenFile("one", TargetOpenMode.Patch))
        {
            file.Write(0, "ab"u8);
        }

        Assert.Equal(("ab23", "0123"), (File.ReadAllText(temp.In("one")), File.ReadAllText(temp.In("two"))));
    }

    [Fact]
    public void A_file_that_another_program_holds_open_is_an_error_of_that_file_and_stays_as_it_is()
    {
        Write("held", "0123"u8);
        Write("new", "new"u8);
        using (File.Open(temp.In("held"), FileMode.Open, FileAccess.ReadWrite, FileShare.None))
        {
            Exception[] failures =
            [
                Assert.ThrowsAny<SystemException>(() => target.OpenFile("held", TargetOpenMode.Patch)),
                Assert.ThrowsAny<SystemException>(() => target.OpenFile("held", TargetOpenMode.Read)),
                Assert.ThrowsAny<SystemException>(() => target.Rename("new", "held", withPermissions: false)),
            ];
            Assert.All(
                failures,
                failure =>
                    Assert.StartsWith($"'{temp.In("held")}' could not be ", failure.Message, StringComparison.Ordinal)
            );
        }

        Assert.Equal("0123", File.ReadAllText(temp.In("held")));
    }

    [Fact]
    public void A_file_that_another_program_holds_for_a_moment_is_replaced_and_removed()
    {
        Write("replaced", "old"u8);
        Write("new", "new"u8);
        Write("removed", "x"u8);
        FileStream[] held =
        [
            .. new[] { "replaced", "new", "removed" }.Select(name =>
                File.Open(temp.In(name), FileMode.Open, FileAccess.Read, FileShare.ReadWrite)
            ),
        ];
        using Timer closing = new(
            _ => Array.ForEach(held, file => file.Dispose()),
            null,
            TimeSpan.FromMilliseconds(300),
            Timeout.InfiniteTimeSpan
        );

        target.Rename("new", "replaced", withPermissions: true);
        target.DeleteFile("removed");

        Assert.Equal("new", File.ReadAllText(temp.In("replaced")));
        Assert.False(File.Exists(temp.In("removed")));
        Assert.False(File.Exists(temp.In("new")));
    }

    [Fact]
    public void A_new_file_has_its_own_times_and_not_those_of_the_file_that_it_replaces()
    {
        Write("old", "old"u8);
        File.SetCreationTimeUtc(temp.In("old"), new DateTime(2000, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        Write("new", "new"u8);
        File.SetCreationTimeUtc(temp.In("new"), new DateTime(2019, 1, 1, 0, 0, 0, DateTimeKind.Utc));

        target.Rename("new", "old", withPermissions: false);

        Assert.Equal("new", File.ReadAllText(temp.In("old")));
        Assert.NotEqual(2000, File.GetCreationTimeUtc(temp.In("old")).Year);
    }

    [Fact]
    public void A_read_only_file_that_cannot_be_replaced_stays_read_only()
    {
        Write("held", "0123"u8);
        Write("new", "new"u8);
        File.SetAttributes(temp.In("held"), FileAttributes.ReadOnly);
        using (File.Open(temp.In("held"), FileMode.Open, FileAccess.Read, FileShare.Read))
        {
            Assert.ThrowsAny<SystemException>(() => target.Rename("new", "held", withPermissions: false));
        }

        Assert.True(File.GetAttributes(temp.In("held")).HasFlag(FileAttributes.ReadOnly));
        Assert.Equal("0123", File.ReadAllText(temp.In("held")));
    }

    [Fact]
    public void A_rule_that_cannot_be_used_costs_itself_only()
    {
        const string Rules =
            "[{\"Rights\":2032127,\"ControlType\":0,\"SID\":\"S-1-5-21-not-a-sid\",\"Inherited\":false,\"Inheritance\":0,\"Propagation\":0},"
            + "{\"Rights\":0,\"ControlType\":0,\"SID\":\"S-1-1-0\",\"Inherited\":false,\"Inheritance\":0,\"Propagation\":0},"
            + "{\"Rights\":197055,\"ControlType\":0,\"SID\":\"S-1-1-0\",\"Inherited\":false,\"Inheritance\":0,\"Propagation\":0}]";
        target.CreateFolder("folder");

        string shortfall = Assert.Single(
            target.ApplyMetadata("folder", Metadata(2014) with { WindowsAccessRules = Rules }, withPermissions: true)
        );

        Assert.StartsWith("An access rule could not be set: ", shortfall, StringComparison.Ordinal);
        Assert.Contains("S-1-5-21-not-a-sid", shortfall, StringComparison.Ordinal);
        Assert.True(
            MayWrite(
                new DirectoryInfo(temp.In("folder")).GetAccessControl(),
                new SecurityIdentifier(WellKnownSidType.WorldSid, null)
            )
        );
    }

    [Fact]
    public void Generic_rights_are_rights()
    {
        // As CREATOR OWNER and Users have them in the root of a drive.
        const string Rules =
            "[{\"Rights\":268435456,\"ControlType\":0,\"SID\":\"S-1-3-0\",\"Inherited\":false,\"Inheritance\":3,\"Propagation\":2},"
            + "{\"Rights\":-1610612736,\"ControlType\":0,\"SID\":\"S-1-5-32-545\",\"Inherited\":false,\"Inheritance\":3,\"Propagation\":2},"
            + "{\"Rights\":197055,\"ControlType\":0,\"SID\":\"S-1-1-0\",\"Inherited\":false,\"Inheritance\":0,\"Propagation\":0}]";
        target.CreateFolder("folder");
        Assert.Empty(
            target.ApplyMetadata("folder", Metadata(2014) with { WindowsAccessRules = Rules }, withPermissions: true)
        );
        Assert.True(
            MayWrite(
                new DirectoryInfo(temp.In("folder")).GetAccessControl(),
                new SecurityIdentifier(WellKnownSidType.WorldSid, null)
            )
        );
    }

    [Fact]
    public void A_time_that_Windows_does_not_have_is_a_sentence()
    {
        target.CreateFolder("folder");
        EntryMetadata old = new() { LastWriteTicks = new DateTime(1500, 1, 1, 0, 0, 0, DateTimeKind.Utc).Ticks };
        string shortfall = Assert.Single(target.ApplyMetadata("folder", old, withPermissions: false));
        Assert.Equal("The last-modified time could not be set: Windows has no times before the year 1601", shortfall);
    }

    [Fact]
    public void Room_is_known_by_the_folder_also_with_a_prefix()
    {
        target.CreateFolder("folder");
        Assert.InRange(target.RoomAt("folder").FreeBytes, 1, long.MaxValue - 1);
        using PortableTarget prefixed = new(@"\\?\" + temp.Root);
        Assert.InRange(prefixed.RoomAt("folder").FreeBytes, 1, long.MaxValue - 1);
    }

    [Fact]
    public void Access_rules_of_a_backup_of_Windows_are_applied_with_permissions_only()
    {
        var everyone = new SecurityIdentifier(WellKnownSidType.WorldSid, null);
        var metadata = Metadata(2013) with
        {
            WindowsAccessRules =
                "[{\"Rights\":197055,\"ControlType\":0,\"SID\":\"S-1-1-0\",\"Inherited\":false,\"Inheritance\":0,\"Propagation\":0}]",
        };
        Write("file", "x"u8);
        target.CreateFolder("folder");
        foreach (bool withPermissions in (bool[])[false, true])
        {
            using (ITargetFile file = target.OpenFile("file", TargetOpenMode.Patch))
            {
                Assert.Empty(file.ApplyMetadata(metadata, withPermissions));
            }

            Assert.Empty(target.ApplyMetadata("folder", metadata, withPermissions));
            FileSystemSecurity[] found =
            [
                new FileInfo(temp.In("file")).GetAccessControl(),
                new DirectoryInfo(temp.In("folder")).GetAccessControl(),
            ];
            Assert.All(found, security => Assert.Equal(withPermissions, MayWrite(security, everyone)));
        }
    }

    [Theory]
    [InlineData("no JSON")]
    [InlineData("{}")]
    [InlineData("[{\"SID\":\"S-1-1-0\"}]")]
    [InlineData("[{\"Rights\":1,\"ControlType\":0,\"SID\":\"nobody\",\"Inheritance\":0,\"Propagation\":0}]")]
    [InlineData("[{\"Rights\":-1,\"ControlType\":77,\"SID\":\"S-1-1-0\",\"Inheritance\":99,\"Propagation\":99}]")]
    public void Access_rules_that_are_no_rules_are_a_sentence_and_cost_nothing_else(string rules)
    {
        target.CreateFolder("folder");
        string shortfall = Assert.Single(
            target.ApplyMetadata("folder", Metadata(2014) with { WindowsAccessRules = rules }, withPermissions: true)
        );
        Assert.Matches("^(The access rules|An access rule) could not be set: ", shortfall);
        Assert.Equal(2014, Directory.GetLastWriteTimeUtc(temp.In("folder")).Year);
    }

    [Fact]
    public void Original_places_are_below_the_drives()
    {
        using var drives = new PortableTarget(WindowsRoots.Root);
        string folder = temp.Path.Replace('\\', '/');
        using (ITargetFile file = drives.OpenFile($"{folder}/new/file", TargetOpenMode.CreateNew))
        {
            file.Write(0, "x"u8);
        }

        Assert.Empty(drives.ApplyMetadata($"{folder}/new", Metadata(2015), withPermissions: false));
        Assert.Equal("x", File.ReadAllText(Path.Join(temp.Path, "new", "file")));
        Assert.Equal(2015, Directory.GetLastWriteTimeUtc(Path.Join(temp.Path, "new")).Year);
        Assert.Equal(Path.Join(temp.Path, "new", "file"), drives.Display($"{folder}/new/file"));
        IOException failure = Assert.Throws<IOException>(() => drives.CreateFolder("Q:/folder"));
        Assert.Equal(@"'Q:\folder' could not be created: there is no such drive or share", failure.Message);
    }

    [Fact]
    public void Files_are_flushed_with_their_volume_or_one_by_one()
    {
        using PortableTarget flushed = new(temp.Root, flushesFiles: true);
        using (ITargetFile file = flushed.OpenFile("folder/file", TargetOpenMode.CreateNew))
        {
            file.Write(0, "x"u8);
        }

        Assert.Null(flushed.Flush());
        Assert.Equal("x", File.ReadAllText(temp.In("folder/file")));
        Assert.Equal(
            Path.GetPathRoot(temp.Root),
            global::Restore.Interop.Windows.VolumeOf(temp.In("folder")),
            ignoreCase: true
        );
    }

    [Theory]
    [InlineData(@"Q:\folder")]
    [InlineData(@"\\nowhere\share\folder")]
    public void A_target_on_a_drive_or_share_that_is_missing_is_an_error_that_says_so(string path)
    {
        RestoreException failure = Assert.Throws<RestoreException>(() => RootFolder.Create(path));
        Assert.Equal(
            (RestoreErrorCode.TargetNotCreated, "The target folder cannot be created: there is no such drive or share"),
            (failure.Code, failure.Message.Split(" (")[0])
        );
    }

    [Theory]
    [InlineData("plain")]
    [InlineData("read-only")]
    [InlineData("folder")]
    public void A_stream_gets_its_place_and_its_file_stays_as_it_is(string host)
    {
        using PortableTarget streams = WithStreams(true);
        target.CreateFolder("folder");
        Write("plain", "content"u8);
        Write("read-only", "content"u8);
        DateTime time = new(2013, 2, 3, 4, 5, 6, DateTimeKind.Utc);
        File.SetLastWriteTimeUtc(temp.In("plain"), time);
        File.SetLastWriteTimeUtc(temp.In("read-only"), time);
        Directory.SetLastWriteTimeUtc(temp.In("folder"), time);
        File.SetAttributes(temp.In("read-only"), FileAttributes.ReadOnly);
        Write("host%3Azone", "[ZoneTransfer]"u8);

        Assert.True(streams.TryMoveIntoStream("host%3Azone", host, "zone", overwrite: false));

        Assert.Equal("[ZoneTransfer]", File.ReadAllText(temp.In(host) + ":zone"));
        using ITargetFile? stream = streams.TryOpenStream(host, "zone");
        Assert.Equal("[ZoneTransfer]".Length, stream?.Length);
        Assert.Null(streams.TryOpenStream(host, "other"));
        Assert.False(File.Exists(temp.In("host%3Azone")));
        Assert.Equal(host == "read-only", File.GetAttributes(temp.In(host)).HasFlag(FileAttributes.ReadOnly));
        Assert.Equal(host == "folder", Directory.Exists(temp.In(host)));
        if (host != "folder")
        {
            Assert.Equal(("content", time), (File.ReadAllText(temp.In(host)), File.GetLastWriteTimeUtc(temp.In(host))));
        }
    }

    [Theory]
    [InlineData("the same", false, true, "the same")]
    [InlineData("other", false, false, "other")]
    [InlineData("other", true, true, "the same")]
    public void A_stream_that_is_there_is_replaced_only_if_files_are(
        string present,
        bool overwrite,
        bool isMoved,
        string expected
    )
    {
        using PortableTarget streams = WithStreams(true);
        Write("file", "content"u8);
        Write("file%3Azone", "the same"u8);
        File.WriteAllText(temp.In("file") + ":zone", present);

        Assert.Equal(isMoved, streams.TryMoveIntoStream("file%3Azone", "file", "zone", overwrite));

        Assert.Equal(expected, File.ReadAllText(temp.In("file") + ":zone"));
        Assert.Equal(isMoved, !File.Exists(temp.In("file%3Azone")));
    }

    [Fact]
    public void A_stream_stays_a_file_without_streams_or_without_its_file()
    {
        using PortableTarget none = WithStreams(false);
        using PortableTarget streams = WithStreams(true);
        Write("file", "content"u8);
        Write("file%3Azone", "x"u8);

        Assert.False(none.TryMoveIntoStream("file%3Azone", "file", "zone", overwrite: true));
        Assert.False(streams.TryMoveIntoStream("file%3Azone", "gone", "zone", overwrite: true));

        Assert.Equal("x", File.ReadAllText(temp.In("file%3Azone")));
    }

    [Theory]
    [InlineData("aux.c")]
    [InlineData("folder/nul")]
    [InlineData("dot.")]
    [InlineData("file.txt:stream")]
    public void A_name_that_means_something_else_there_is_refused_by_the_target_itself(string path)
    {
        Assert.Throws<IOException>(() => target.OpenFile(path, TargetOpenMode.CreateNew));
        Assert.False(Directory.Exists(temp.Root));
    }

    [Fact]
    public void A_name_in_another_case_is_the_same_file()
    {
        Write("Letter.txt", "x"u8);
        Assert.Equal(TargetKind.File, target.Inspect("LETTER.TXT").Kind);
        Assert.Throws<IOException>(() => target.OpenFile("letter.txt", TargetOpenMode.CreateNew));
    }

    public void Dispose()
    {
        target.Dispose();
        foreach (string file in Directory.Exists(temp.Root) ? Directory.EnumerateFileSystemEntries(temp.Root) : [])
        {
            File.SetAttributes(file, FileAttributes.Normal);
        }

        temp.Dispose();
    }

    /// <summary>Wine has no streams, but takes their names for names of files.</summary>
    private PortableTarget WithStreams(bool hasStreams) => new(temp.Root) { HasStreams = _ => hasStreams };

    private void Write(string path, ReadOnlySpan<byte> data)
    {
        using ITargetFile file = target.OpenFile(path, TargetOpenMode.CreateNew);
        file.Write(0, data);
    }

    private static EntryMetadata Metadata(int year) =>
        new() { LastWriteTicks = new DateTime(year, 2, 3, 4, 5, 6, DateTimeKind.Utc).Ticks };

    private static bool MayWrite(FileSystemSecurity security, SecurityIdentifier user) =>
        security
            .GetAccessRules(includeExplicit: true, includeInherited: false, typeof(SecurityIdentifier))
            .Cast<FileSystemAccessRule>()
            .Any(rule => rule.IdentityReference == user && rule.FileSystemRights.HasFlag(FileSystemRights.WriteData));
}
