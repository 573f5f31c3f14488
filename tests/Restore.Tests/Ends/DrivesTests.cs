using Restore.Ends.Portable;
using Restore.Format;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Ends;

/// <summary>
/// The target of original places on Windows, with its drives and shares put into folders of this
/// machine: all but the spelling of the paths is the code that runs there. There is a drive C: and
/// a share \\server\share.
/// </summary>
[NeedsLinux]
public sealed class DrivesTests : IDisposable
{
    private readonly TempFolder temp = new();
    private readonly PortableTarget target;

    public DrivesTests()
    {
        Directory.CreateDirectory(temp.In("C"));
        Directory.CreateDirectory(temp.In("UNC/server/share"));
        target = new PortableTarget(new DrivesInFolders(temp.Root));
    }

    [Theory]
    [InlineData("C:", true)]
    [InlineData("Q:", false)]
    [InlineData("UNC/server/share", true)]
    [InlineData("UNC/server/other", false)]
    public void A_drive_or_share_that_is_not_there_is_nothing(string root, bool isThere) =>
        Assert.Equal(isThere ? TargetKind.Folder : TargetKind.Nothing, target.Inspect(root).Kind);

    [Theory]
    [InlineData("C:/Users/ann/notes.txt", @"C:\Users\ann\notes.txt", "C/Users/ann/notes.txt")]
    [InlineData("UNC/server/share/notes.txt", @"\\server\share\notes.txt", "UNC/server/share/notes.txt")]
    public void A_file_is_written_below_a_drive_or_a_share(string path, string display, string place)
    {
        Assert.Equal(default, target.Inspect(path));
        using (ITargetFile file = target.OpenFile(path, TargetOpenMode.CreateNew, 3))
        {
            file.Write(0, [1, 2, 3]);
        }

        Assert.Equal([1, 2, 3], File.ReadAllBytes(temp.In(place)));
        Assert.Equal(TargetKind.File, target.Inspect(path).Kind);
        Assert.Equal(display, target.Display(path));
    }

    [Theory]
    [InlineData("C:")]
    [InlineData("UNC")]
    [InlineData("UNC/server/share")]
    [InlineData("")]
    public void A_drive_or_share_is_a_folder_that_is_there(string path)
    {
        target.CreateFolder(path);
        Assert.Equal(TargetKind.Folder, target.Inspect(path).Kind);
    }

    [Theory]
    [InlineData("X:/file", @"'X:\file' could not be created: there is no such drive or share")]
    [InlineData(
        "UNC/server/other/file",
        @"'\\server\other\file' could not be created: there is no such drive or share"
    )]
    public void A_drive_or_share_that_is_not_there_is_not_made(string path, string reason)
    {
        Assert.Equal(default, target.Inspect(path));
        IOException failure = Assert.Throws<IOException>(() => target.OpenFile(path, TargetOpenMode.CreateNew));
        Assert.Equal(reason, failure.Message);
        Assert.False(Directory.Exists(temp.In("X")));
    }

    [Fact]
    public void The_target_is_never_taken_for_empty() => Assert.False(target.IsEmpty);

    [Fact]
    public void Names_are_looked_for_below_a_drive_and_not_among_the_drives()
    {
        target.CreateFolder("C:/folder");
        target.FinishFolders(["C:"], new HashSet<string>());
        File.WriteAllText(temp.In("C/folder/.restore-1"), "");

        Assert.Equal([".restore-1"], target.NamesIn("C:/folder", ".restore-"));
        Assert.Empty(target.NamesIn("", "C"));
    }

    [Theory]
    [InlineData(@"\\server\share\other")]
    [InlineData("beside")]
    public void A_link_may_lead_to_any_drive_or_share(string linkTarget) =>
        Assert.True(target.IsInside("C:/link", linkTarget));

    [Fact]
    public void A_link_that_is_in_the_way_of_a_folder_is_not_followed()
    {
        string outside = Directory.CreateDirectory(temp.In("outside")).FullName;
        Directory.CreateSymbolicLink(temp.In("C/link"), outside);
        Assert.Throws<IOException>(() => target.CreateFolder("C:/link/folder"));
        Assert.Empty(Directory.EnumerateFileSystemEntries(outside));
        Assert.NotEmpty(target.ApplyMetadata("C:/link/folder", EntryMetadata.Empty, withPermissions: false));
    }

    public void Dispose()
    {
        target.Dispose();
        temp.Dispose();
    }

    private sealed class DrivesInFolders(string folder) : PathRoot(folder)
    {
        private readonly WindowsRoots windows = new();

        public override bool IsFolder => false;

        public override string FullPath(string path) =>
            System.IO.Path.Join(Path, path.Replace(":", "", StringComparison.Ordinal));

        public override string Display(string path) => windows.Display(path);

        public override int FixedLength(string path) => windows.FixedLength(path);

        public override bool Exists(string path) => !WindowsRoots.IsDriveOrShare(path) || base.Exists(path);

        public override string? Find(string rooted) => windows.Find(rooted);
    }
}
