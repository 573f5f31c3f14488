namespace Restore.Tests;

public sealed class RestoredTreeTests : IDisposable
{
    private readonly TempFolder folder = new();

    [Fact]
    public void A_tree_is_equal_to_itself()
    {
        ExpectedTree expected = Make();
        Assert.Empty(RestoredTree.Differences(expected, RestoredTree.Read(folder.Path), TreeChecks.All));
    }

    [Fact]
    public void Differences_in_content_time_mode_link_and_missing_and_surplus_entries_are_reported()
    {
        ExpectedTree expected = Make();
        File.WriteAllText(In("text"), "another");
        File.SetLastWriteTimeUtc(In("folder"), new DateTime(2001, 2, 3, 4, 5, 6, DateTimeKind.Utc));
        Ends.Native.SetMode(In("folder"), 0x1C2);
        File.Delete(In("link"));
        File.CreateSymbolicLink(In("link"), "elsewhere");
        File.Delete(In("gone"));
        File.WriteAllText(In("surplus"), "");
        string all = string.Join(
            '\n',
            RestoredTree.Differences(expected, RestoredTree.Read(folder.Path), TreeChecks.Times | TreeChecks.Modes)
        );
        Assert.Contains("size: text is '7', expected '5'", all, StringComparison.Ordinal);
        Assert.Contains("sha256: text is", all, StringComparison.Ordinal);
        Assert.Contains("time: folder is '9811731060000000'", all, StringComparison.Ordinal);
        Assert.Contains("mode: folder is '0702'", all, StringComparison.Ordinal);
        Assert.Contains("link target: link is 'elsewhere', expected 'text'", all, StringComparison.Ordinal);
        Assert.Contains("missing: gone (file)", all, StringComparison.Ordinal);
        Assert.Contains("not expected: surplus (file)", all, StringComparison.Ordinal);
    }

    [Fact]
    public void Skipped_entries_and_surplus_ones_of_an_incomplete_list_are_not_differences()
    {
        ExpectedTree expected = Make() with { IsComplete = false };
        File.Delete(In("gone"));
        File.WriteAllText(In("surplus"), "");
        Assert.Empty(
            RestoredTree.Differences(
                expected,
                RestoredTree.Read(folder.Path),
                TreeChecks.Content,
                path => path == "gone"
            )
        );
    }

    [Fact]
    public void Expected_files_are_read_with_times_in_units_of_100_ns()
    {
        ExpectedTree expected = ExpectedTree.Load(Path.Combine(Fixtures.Folder("plain-1mb"), "expected-0.json"));
        Assert.Equal("/tmp/fx/src/plain-1mb/data", expected.SourceRoot);
        Assert.True(expected.IsComplete);
        TreeEntry entry = expected.Entries.Single(entry => entry.Path == "added-v3/big.bin");
        Assert.Equal(17001830076172837, entry.ModifiedTicks);
        Assert.Equal(
            (2097252, "0644", (0, 0), ""),
            (entry.SizeBytes!.Value, entry.Mode!, entry.Owner!.Value, entry.Attributes!)
        );
        Assert.Contains(
            expected.Entries,
            other => other.Attributes?.StartsWith("user.", StringComparison.Ordinal) == true
        );
    }

    public void Dispose() => folder.Dispose();

    private ExpectedTree Make()
    {
        File.WriteAllText(In("text"), "12345");
        File.WriteAllText(In("gone"), "");
        Directory.CreateDirectory(In("folder"));
        File.CreateSymbolicLink(In("link"), "text");
        return new ExpectedTree("/source", IsComplete: true, [.. RestoredTree.Read(folder.Path).Values]);
    }

    private string In(string name) => Path.Combine(folder.Path, name);
}
