using Restore.Planning.Paths;

namespace Restore.Tests.Planning;

/// <summary>Paths in reports can be pasted on the system that they are of.</summary>
public sealed class TargetDisplayTests
{
    [Theory]
    [InlineData(@"C:\out", "C/Users/ann", @"C:\out\C\Users\ann")]
    [InlineData("D:\\", "Users/ann", @"D:\Users\ann")]
    [InlineData(@"\\nas\share", "x", @"\\nas\share\x")]
    [InlineData(null, "C:/Users/ann", @"C:\Users\ann")]
    [InlineData(null, "C:", "C:\\")]
    [InlineData(null, "UNC/nas/share/x y", @"\\nas\share\x y")]
    public void On_Windows_a_path_has_backslashes_and_a_share_two_of_them(string? root, string path, string expected) =>
        Assert.Equal(expected, TargetDisplay.OnWindows(root, path));

    [Fact]
    public void Elsewhere_original_places_begin_at_the_root()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        Assert.Equal(
            ("/home/ann", "/out/home/ann"),
            (TargetDisplay.Of(null, "home/ann"), TargetDisplay.Of("/out", "home/ann"))
        );
    }
}
