using Restore.Catalog.Locating;

namespace Restore.Tests.Catalog.Locating;

/// <summary>The order in which sources are asked.</summary>
public sealed class LocationSearchTests
{
    private readonly BlockNeeds needs = SmallBackup.NeedsOf(SmallBackup.Version(SmallBackup.BlocksOf(1, 1)));
    private readonly List<string> asked = [];

    [Fact]
    public async Task After_each_step_the_cheapest_source_is_asked_again_and_the_search_ends_when_none_has_more()
    {
        await RunAsync(Source("a", true, false, true), Source("b", true, true), Source("c"));
        Assert.Equal("a a b a a b a b c".Split(' '), asked);
    }

    [Fact]
    public async Task The_search_ends_as_soon_as_all_is_located()
    {
        await RunAsync(Source("a"), new Scripted(() => Locate("b")), Source("c", true));
        Assert.Equal(["a", "b"], asked);
    }

    [Fact]
    public async Task No_source_is_asked_when_nothing_is_needed()
    {
        Locate("before");
        await RunAsync(Source("a", true));
        Assert.Equal(["before"], asked);
    }

    private async Task RunAsync(params ILocationSource[] sources)
    {
        using SearchState search = new(needs, new IssueLog());
        await new LocationSearch(search, sources).RunAsync((_, _) => { }, CancellationToken.None);
    }

    /// <summary>A source with something to say in these of its steps.</summary>
    private Scripted Source(string name, params IEnumerable<bool> steps)
    {
        Queue<bool> left = new(steps);
        return new Scripted(() =>
        {
            asked.Add(name);
            return left.TryDequeue(out bool step) && step;
        });
    }

    private bool Locate(string name)
    {
        asked.Add(name);
        needs.Locate(new(0), new(0), CopyOrder.Database);
        return true;
    }

    private sealed class Scripted(Func<bool> step) : ILocationSource
    {
        public Task<bool> TryStepAsync(Action<int, int> progress, CancellationToken cancellationToken) =>
            Task.FromResult(step());
    }
}
