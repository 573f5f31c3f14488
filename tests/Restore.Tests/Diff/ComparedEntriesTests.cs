using System.Text;
using Restore.Diff;
using Restore.Format;

namespace Restore.Tests.Diff;

public class ComparedEntriesTests
{
    [Fact]
    public void A_path_without_a_folder_is_found_after_others_were_added()
    {
        ComparedEntries entries = new();
        Assert.True(entries.TryAdd(Folder("/")));
        Assert.True(entries.TryAdd(Folder("/a/")));
        Assert.True(entries.TryAdd(Folder("C:\\")));
        Assert.Equal(
            [0, 1, 2],
            new[] { "/", "/a/", "C:\\" }.Select(path =>
                entries.TryFind(Encoding.UTF8.GetBytes(path), out int entry) ? entry : -1
            )
        );
    }

    private static EntryInList Folder(string path) => new(Encoding.UTF8.GetBytes(path), EntryKind.Folder, 0, 0, [], []);
}
