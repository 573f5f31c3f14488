using System.Text;
using Restore.Browse.Index;
using Restore.Format;

namespace Restore.Tests.Web;

/// <summary>The paths of all versions in memory, and what they are in each.</summary>
public sealed class EntryIndexTests
{
    [Theory]
    [InlineData("/home/ann/notes.txt")]
    [InlineData("/home/ann//twice")]
    [InlineData("/a")]
    [InlineData(@"C:\Users\Ann\notes.txt")]
    [InlineData(@"\\server\share\file")]
    [InlineData(@"\\\odd")]
    [InlineData("notes.txt")]
    [InlineData("a/b")]
    [InlineData("/../..")]
    [InlineData(@"/a\b/c\d")]
    public void A_path_comes_back_as_it_was(string path)
    {
        EntryIndex tree = new(1 << 30);
        Assert.True(TryAdd(tree, 0, File("/some/thing/else")));
        Assert.True(TryAdd(tree, 0, File(path)));
        TreeId node = tree.Nodes.Last(node => tree.Find(node, 0) is not null);
        Assert.Equal(path, tree.Paths.PathOf(node));
        Assert.Equal(node, tree.Paths.Find(path));
        Assert.Null(tree.Paths.Find(path + "x"));
    }

    [Fact]
    public void A_drive_after_a_path_without_a_folder_keeps_its_separator()
    {
        EntryIndex tree = new(1 << 30);
        Assert.True(TryAdd(tree, 0, File("notes.txt")));
        Assert.True(TryAdd(tree, 0, new BackupEntry(@"C:\", BackupEntryKind.Folder, 0, null)));
        Assert.True(TryAdd(tree, 0, File(@"C:\notes.txt")));
        TreeId drive = Child(tree, PathTree.Roots[1], "C:");
        Assert.Equal(('\\', "C:"), (tree.Paths.SeparatorOf(drive), tree.Paths.PathOf(drive)));
        Assert.Equal(@"C:\notes.txt", tree.Paths.PathOf(Child(tree, drive, "notes.txt")));
        Assert.NotNull(tree.Find(drive, 0));
        Assert.Equal(drive, tree.Paths.Find(@"C:\"));
    }

    [Fact]
    public void A_folder_and_its_files_share_a_node_and_versions_with_one_content_share_a_state()
    {
        EntryIndex tree = new(1 << 30);
        BackupEntry folder = new("/data/", BackupEntryKind.Folder, 0, null);
        for (int version = 0; version < 5; version++)
        {
            Assert.True(TryAdd(tree, version, folder));
            Assert.True(
                TryAdd(tree, version, File("/data/file", version < 2 ? "aaaaaaaaaaaaaaaa" : "bbbbbbbbbbbbbbbb"))
            );
        }

        TreeId data = Child(tree, PathTree.Roots[0], "data");
        TreeId file = Child(tree, data, "file");
        Assert.Single(tree.StatesOf(data));
        Assert.Equal([(0, 1), (2, 4)], tree.StatesOf(file).Select(state => (state.Newest, state.Oldest)));
        Assert.Null(tree.Find(file, 5));
        Assert.Null(tree.Paths.Find(data, "other"u8));
    }

    [Fact]
    public void Sums_are_those_of_each_version()
    {
        EntryIndex tree = new(1 << 30);
        TryAdd(tree, 0, File("/a/b/one"));
        TryAdd(tree, 1, File("/a/b/one"));
        TryAdd(tree, 1, File("/a/two"));
        VersionViews views = new(tree);
        TreeId a = Child(tree, PathTree.Roots[0], "a");
        Assert.Equal((1, 7), (views.Of(0).Files[a.Number], views.Of(0).Bytes[a.Number]));
        Assert.Equal((2, 14), (views.Of(1).Files[a.Number], views.Of(1).Bytes[a.Number]));
        Assert.Equal((2, 14L), views.TotalsOf(1));
        Assert.Equal(["b", "two"], views.ChildrenOf(1, a, ListOrder.Name, falls: false).Select(tree.Name));
    }

    [Theory]
    [InlineData("lake/*.jpg", "/photos/lake/a.jpg", "/photos/lake/deep/b.jpg")]
    [InlineData("photos/*/a.jpg", "/photos/lake/a.jpg")]
    [InlineData("/photos/lake/*", "/photos/lake/a.jpg", "/photos/lake/deep/b.jpg")]
    [InlineData("*/deep/*", "/photos/lake/deep/b.jpg")]
    [InlineData("ake/a", "/photos/lake/a.jpg")]
    [InlineData("ake/*.jpg")]
    [InlineData("lake\\*.jpg", "/photos/lake/a.jpg", "/photos/lake/deep/b.jpg")]
    [InlineData("ann\\*.odt", "C:\\Users\\Ann\\letter.odt")]
    [InlineData("C:\\*\\letter.odt", "C:\\Users\\Ann\\letter.odt")]
    public void A_pattern_with_a_separator_begins_at_any_folder(string search, params string[] found)
    {
        EntryIndex tree = new(1 << 30);
        foreach (
            string path in new[]
            {
                "/photos/lake/a.jpg",
                "/photos/lake/deep/b.jpg",
                "/other/lake.jpg",
                "C:\\Users\\Ann\\letter.odt",
            }
        )
        {
            Assert.True(TryAdd(tree, 0, File(path)));
        }

        Assert.Equal(found.Order(), PathSearch.Run(tree, search, default).Nodes.Select(tree.Paths.PathOf).Order());
    }

    [Fact]
    public void Sizes_that_a_hostile_list_claims_do_not_overflow()
    {
        EntryIndex tree = new(1 << 30);
        TryAdd(tree, 0, File("/a") with { SizeBytes = long.MaxValue });
        TryAdd(tree, 0, File("/b") with { SizeBytes = long.MaxValue });
        Assert.Equal((2, long.MaxValue), new VersionViews(tree).TotalsOf(0));
    }

    [Fact]
    public void Paths_that_are_too_long_or_too_deep_are_left_out_and_memory_has_a_limit()
    {
        EntryIndex tree = new(4 << 20);
        Assert.False(TryAdd(tree, 0, File("")));
        Assert.False(TryAdd(tree, 0, File("/" + new string('x', 100_000))));
        Assert.False(TryAdd(tree, 0, File(string.Concat(Enumerable.Repeat("/d", 5_000)))));
        int added = 0;
        for (; !tree.IsFull && added < 1_000_000; added++)
        {
            Assert.True(TryAdd(tree, 0, File($"/folder {added}/file")));
        }

        Assert.InRange(added, 1_000, 100_000);
    }

    private static TreeId Child(EntryIndex tree, TreeId folder, string name) =>
        tree.Paths.Find(folder, Encoding.UTF8.GetBytes(name))!.Value;

    private static bool TryAdd(EntryIndex tree, int version, BackupEntry entry)
    {
        EntryKind kind = entry.Kind == BackupEntryKind.Folder ? EntryKind.Folder : EntryKind.File;
        long ticks = entry.LastModified?.UtcTicks ?? 0;
        return tree.TryAdd(
            version,
            new EntryInList(
                Encoding.UTF8.GetBytes(entry.Path),
                kind,
                entry.SizeBytes,
                ticks,
                Convert.FromHexString(entry.Hash),
                []
            )
        );
    }

    private static BackupEntry File(string path, string hash = "") =>
        new(path, BackupEntryKind.File, 7, DateTimeOffset.UnixEpoch) { Hash = hash };
}
