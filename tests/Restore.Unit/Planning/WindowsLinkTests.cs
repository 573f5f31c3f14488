using Restore.Planning.Paths;

namespace Restore.Tests.Planning;

/// <summary>Where the link of a Windows backup points in the tree of another system.</summary>
public sealed class WindowsLinkTests
{
    [Theory]
    [InlineData(@"C:\u\link", @"docs\a.txt", "docs/a.txt")]
    [InlineData(@"C:\u\docs\link", @"..\x.txt", "../x.txt")]
    [InlineData(@"C:\u\link", "docs/a.txt", "docs/a.txt")]
    [InlineData(@"C:\u\link", @"C:\u\docs\a.txt", "docs/a.txt")]
    [InlineData(@"C:\u\docs\link", @"C:\u\x.txt", "../x.txt")]
    [InlineData(@"C:\u\docs\link", @"c:\U\DOCS\a.txt", "a.txt")]
    [InlineData(@"C:\u\docs\link", @"C:\u\docs", ".")]
    [InlineData(@"C:\u\docs\link", @"C:\u\", "..")]
    [InlineData(@"C:\u\link", @"\\?\C:\u\docs\", "docs")]
    [InlineData(@"C:\u\link", @"\??\C:\u\docs", "docs")]
    [InlineData(@"C:\u\link", @"\u\docs", "docs")]
    [InlineData(@"C:\u\link", @"C:\u\a\..\docs\.\b", "docs/b")]
    [InlineData(@"C:\u\link", @"C:\elsewhere\a.txt", null)]
    [InlineData(@"C:\u\link", @"D:\data", null)]
    [InlineData(@"C:\u\link", @"\\server\share\a", null)]
    [InlineData(@"C:\u\link", @"\\?\Volume{0b1c}\", null)]
    [InlineData(@"C:\u\link", @"\\?\", null)]
    [InlineData(@"C:\u\link", "C:a", null)]
    [InlineData(@"C:\u\link", "C:", null)]
    public void A_target_is_a_place_in_the_tree_below_the_common_folder(string link, string target, string? expected) =>
        Assert.Equal(expected, WindowsLink.Translate(link, target, prefixLength: @"C:\u\".Length));

    [Theory]
    [InlineData(@"C:\u\link", @"C:\w\a", "../w/a")]
    [InlineData(@"C:\link", @"C:\w\a", "w/a")]
    [InlineData(@"C:\u\link", @"D:\w\a", "../../D/w/a")]
    [InlineData(@"C:\u\link", @"E:\w\a", null)]
    [InlineData(@"\\server\share\u\link", @"\\?\UNC\server\share\a", "../a")]
    [InlineData(@"\\server\share\u\link", @"\\other\share\a", null)]
    public void Without_a_common_folder_drives_and_servers_are_folders(string link, string target, string? expected) =>
        Assert.Equal(expected, WindowsLink.Translate(link, target, prefixLength: 0, hasRoot: root => root == "D"));
}
