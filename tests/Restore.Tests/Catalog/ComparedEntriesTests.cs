using System.Text;
using Restore.Catalog;
using Restore.Format;

namespace Restore.Tests.Catalog;

public class ComparedEntriesTests
{
    [Fact]
    public void A_path_without_a_folder_is_found_after_others_were_added()
    {
        ComparedEntries entries = new();
        Assert.True(entries.TryAdd(Folder("/")));
        Assert.True(entries.TryAdd(Folder("/a/")));
        Assert.True(entries.TryAdd(Folder("C:\\")));
        Assert.Equal([0, 1, 2], new[] { "/", "/a/", "C:\\" }.Select(path => entries.Find(Encoding.UTF8.GetBytes(path))));
    }

    private static EntryInList Folder(string path) => new(Encoding.UTF8.GetBytes(path), EntryKind.Folder, 0, 0, [], []);
}
