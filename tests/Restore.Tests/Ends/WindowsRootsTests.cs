using Restore.Ends.Portable;

namespace Restore.Tests.Ends;

/// <summary>
/// Original places on Windows: drives and shares are no folders, and their paths are written in
/// three ways.
/// </summary>
public sealed class WindowsRootsTests
{
    private static readonly WindowsRoots Roots = new();

    [Theory]
    [InlineData("C:/Users/ann", @"\\?\C:\Users\ann", @"C:\Users\ann")]
    [InlineData("C:", @"\\?\C:\", @"C:\")]
    [InlineData("UNC/server/share", @"\\?\UNC\server\share\", @"\\server\share")]
    [InlineData("UNC/server/share/a/b", @"\\?\UNC\server\share\a\b", @"\\server\share\a\b")]
    public void A_path_is_written_for_the_system_and_for_people(string path, string full, string display)
    {
        Assert.Equal((full, display), (Roots.FullPath(path), Roots.Display(path)));
        Assert.Equal(path, Roots.Find(full));
        Assert.Equal(path, Roots.Find(display));
    }

    [Theory]
    [InlineData("", 0, false)]
    [InlineData("C:", 2, true)]
    [InlineData("C:/a", 2, false)]
    [InlineData("CD:/a", 0, false)]
    [InlineData("C/a", 0, false)]
    [InlineData("C:a", 0, false)]
    [InlineData("UNC", 3, false)]
    [InlineData("UNC/server", 10, false)]
    [InlineData("UNC/server/share", 16, true)]
    [InlineData("UNC/server/share/a/b", 16, false)]
    [InlineData("UNCLE/server/share", 0, false)]
    public void A_drive_or_share_is_distinguished_from_the_names_below_it(string path, int length, bool isDriveOrShare)
    {
        Assert.Equal((length, isDriveOrShare), (WindowsRoots.LengthOf(path), WindowsRoots.IsDriveOrShare(path)));
    }

    [Theory]
    [InlineData(@"C:relative")]
    [InlineData(@"relative\path")]
    [InlineData(@"\rooted")]
    [InlineData(@"\\.\PhysicalDrive0")]
    [InlineData(@"\\?\GLOBALROOT\Device")]
    [InlineData("C:")]
    [InlineData("")]
    public void A_device_or_a_path_that_depends_on_the_current_folder_is_no_place(string path) =>
        Assert.Null(Roots.Find(path));
}
