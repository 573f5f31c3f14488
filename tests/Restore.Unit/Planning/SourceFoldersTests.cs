using System.Text;
using Restore.Format;
using Restore.Planning.Paths;

namespace Restore.Tests.Planning;

public sealed class SourceFoldersTests
{
    [Theory]
    [InlineData("/home/ann/ /home/ann/a /home/ann/sub/ /home/ann/sub/b", "/home/ann")]
    [InlineData("/home/ann/a /home/ann/sub/b /home/ann/sub/ /home/ann/", "/home/ann")]
    [InlineData("/home/ann/a /home/bob/b", "/home/ann /home/bob")]
    [InlineData("/home/ann/ /data/x/ /home/ann/a /data/x/a", "/data/x /home/ann")]
    [InlineData("/home/ann/ /home/anna/", "/home/ann /home/anna")]
    [InlineData("/a /home/ann/", "/home/ann")]
    public void The_topmost_folders_of_a_version_are_found_in_any_order(string entries, string folders) =>
        Assert.Equal(folders, Found(entries));

    [Theory]
    [InlineData("/home/ann/ /home/ann/gap/passwd")]
    [InlineData("/home/ann/gap/passwd /home/ann/gap/more/passwd /home/ann/")]
    public void A_folder_without_an_entry_below_a_source_is_no_source(string entries) =>
        Assert.Equal("/home/ann", Found(entries));

    [Theory]
    [InlineData("/s/link> /s/link/x")]
    [InlineData("/s/link/x /s/link>")]
    [InlineData("/s/link> /s/link/deep/down/x")]
    [InlineData("/s/link> /s/link/")]
    [InlineData("/s/x/y /s/x")]
    public void Nothing_behind_a_link_or_a_file_of_the_version_is_a_source(string entries) =>
        Assert.Equal("/s", Found(entries));

    [Fact]
    public void The_root_is_a_source_that_has_all_others_in_it() => Assert.Equal("", Found("/ /home/ /home/ann/x"));

    [Fact]
    public void Only_sources_with_something_to_restore_are_looked_at() =>
        Assert.Equal("/c", Found("-/a/ -/a/x -/b/x /c/ -/c/x"));

    [Fact]
    public void A_list_with_more_sources_than_any_job_has_none()
    {
        var folders = new SourceFolders();
        for (int i = 0; i < 20_000; i++)
        {
            folders.Observe(Encoding.UTF8.GetBytes($"/{i}/x"), EntryKind.File, isSelected: true);
        }

        Assert.Empty(folders.Selected());
    }

    /// <summary>
    /// A path ending in a separator is a folder, in '>' a link, else a file; '-' means that it is
    /// not selected.
    /// </summary>
    private static string Found(string entries)
    {
        var folders = new SourceFolders();
        foreach (string entry in entries.Split(' '))
        {
            string path = entry.TrimStart('-').TrimEnd('>');
            EntryKind kind =
                entry.EndsWith('>') ? EntryKind.Symlink
                : entry.EndsWith('/') ? EntryKind.Folder
                : EntryKind.File;
            folders.Observe(Encoding.UTF8.GetBytes(path), kind, isSelected: entry[0] != '-');
        }

        return string.Join(' ', folders.Selected());
    }
}
