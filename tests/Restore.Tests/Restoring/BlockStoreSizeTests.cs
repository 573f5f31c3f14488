using Restore.Tests.FixtureTests;

namespace Restore.Tests.Restoring;

/// <summary>
/// The block store may be of any size: the tree is the same, only the order of writing differs.
/// </summary>
public sealed class BlockStoreSizeTests
{
    public static TheoryData<string, long, int> Cases()
    {
        TheoryData<string, long, int> cases = [];
        foreach (
            (string fixture, long bytes, int percent) in from fixture in new[]
            {
                "interleaved",
                "blocklists-1kb",
                "many-small",
            }
            from size in new[] { (0L, 50), (3000L, 1), (64L << 10, 100), (1L << 30, 50) }
            select (fixture, size.Item1, size.Item2)
        )
        {
            cases.Add(fixture, bytes, percent);
        }

        return cases;
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task Its_size_makes_no_difference_to_the_tree(string name, long maxBytes, int evictPercent)
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf(name).Single();
        using TempFolder folder = new();
        ExecuteOptions execution = new()
        {
            Tuning = new() { CacheMaxBytes = maxBytes, CacheEvictPercent = evictPercent },
        };
        Assert.Empty(
            (await FixtureRestore.RunAsync(fixture, 0, FixtureRestore.Whole(folder.Root).With(execution))).Issues
        );
        RestoredTree.AssertEqual(fixture.Versions[0].ExpectedFile!, folder.Root, fixture.Checks);
    }
}
