using System.Text;

namespace Restore.Tests.Planning;

/// <summary>Original paths are cut at the separators of their system.</summary>
public class EntryPathTests
{
    [Theory]
    [InlineData(@"/etc/a\b", "/etc/", @"a\b")]
    [InlineData(@"/etc/a\", "/etc/", @"a\")]
    [InlineData("/etc/ssh/", "/etc/", "ssh")]
    [InlineData(@"C:\a\b", @"C:\a\", "b")]
    [InlineData(@"C:\a/b\", @"C:\a/", "b")]
    [InlineData("volume.zip", "", "volume.zip")]
    public void An_entry_has_a_folder_and_a_name(string path, string folder, string name)
    {
        Assert.Equal(folder, EntryPath.FolderOf(path));
        Assert.Equal(name, EntryPath.NameOf(path));
    }

    [Theory]
    [InlineData("/h/x", "/|h/|x")]
    [InlineData(@"/h/a\b/", @"/|h/|a\b/")]
    [InlineData(@"C:\a\b", @"C:\|a\|b")]
    [InlineData(@"\\server\share\a", @"\\server\|share\|a")]
    [InlineData(@"\\?\D:\a", @"\\?\D:\|a")]
    [InlineData(@"\\?\UNC\server\share", @"\\?\UNC\server\|share")]
    [InlineData(@"\\", @"\\")]
    public void A_path_begins_with_its_root(string path, string parts)
    {
        List<string> found = [];
        for (int start = 0; start < path.Length; start = EntryPath.EndOfPart(path, start))
        {
            found.Add(path[start..EntryPath.EndOfPart(path, start)]);
        }

        Assert.Equal(parts, string.Join('|', found));
    }

    [Theory]
    [InlineData(@"C:\x", @"\\?\C:\x", true)]
    [InlineData(@"\\s\x", @"\\?\UNC\s\x", true)]
    [InlineData(@"C:\x", @"C:\y", false)]
    [InlineData("/x", "/x", true)]
    public void The_long_form_of_a_path_is_the_same_path(string left, string right, bool areSame) =>
        Assert.Equal(areSame, EntryPath.AreSame(left, right));

    [Fact]
    public void A_tree_of_paths_has_long_paths_in_their_usual_form()
    {
        PathTree tree = new();
        TreeId file = tree.TryAdd(@"\\?\D:\a\b"u8)!.Value;
        Assert.Equal(file, tree.TryAdd(@"D:\a\b"u8));
        Assert.Equal(file, tree.Find(@"\\.\D:\a\b"));
        Assert.Equal(@"D:\a\b", tree.PathOf(file));
        Assert.Equal(
            @"\\server\share",
            tree.PathOf(tree.TryAdd(Encoding.UTF8.GetBytes(@"\\?\UNC\server\share"))!.Value)
        );
    }
}
