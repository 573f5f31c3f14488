using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;
using Restore.Ends.Portable;
using Restore.Format;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Ends;

/// <summary>What only a target on Windows does: attributes, access rules, drives, files that other programs hold open.</summary>
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
            Assert.Empty(file.ApplyMetadata(Metadata(2012) with { Attributes = FileAttributes.ReadOnly }, withPermissions: false));
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
            Assert.All(failures, failure => Assert.StartsWith($"'{temp.In("held")}' could not be ", failure.Message, StringComparison.Ordinal));
        }

        Assert.Equal("0123", File.ReadAllText(temp.In("held")));
    }

    [Fact]
    public void Access_rules_of_a_backup_of_Windows_are_applied_with_permissions_only()
    {
        var everyone = new SecurityIdentifier(WellKnownSidType.WorldSid, null);
        var metadata = Metadata(2013) with
        {
            WindowsAccessRules = "[{\"Rights\":197055,\"ControlType\":0,\"SID\":\"S-1-1-0\",\"Inherited\":false,\"Inheritance\":0,\"Propagation\":0}]",
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
            FileSystemSecurity[] found = [new FileInfo(temp.In("file")).GetAccessControl(), new DirectoryInfo(temp.In("folder")).GetAccessControl()];
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
        string shortfall = Assert.Single(target.ApplyMetadata("folder", Metadata(2014) with { WindowsAccessRules = rules }, withPermissions: true));
        Assert.StartsWith("The access rules could not be set: ", shortfall, StringComparison.Ordinal);
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

    private void Write(string path, ReadOnlySpan<byte> data)
    {
        using ITargetFile file = target.OpenFile(path, TargetOpenMode.CreateNew);
        file.Write(0, data);
    }

    private static EntryMetadata Metadata(int year) => new() { LastWriteTicks = new DateTime(year, 2, 3, 4, 5, 6, DateTimeKind.Utc).Ticks };

    private static bool MayWrite(FileSystemSecurity security, SecurityIdentifier user) =>
        security.GetAccessRules(includeExplicit: true, includeInherited: false, typeof(SecurityIdentifier)).Cast<FileSystemAccessRule>()
            .Any(rule => rule.IdentityReference == user && rule.FileSystemRights.HasFlag(FileSystemRights.WriteData));
}
