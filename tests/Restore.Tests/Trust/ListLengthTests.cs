using Restore.Cli;
using Restore.Tests.Cli;

namespace Restore.Tests.Trust;

/// <summary>
/// A list that repeats one entry is a small volume, and each entry takes memory: a list has no more
/// entries than a volume of its length can have.
/// </summary>
public sealed class ListLengthTests(LongList list) : IClassFixture<LongList>
{
    [Fact]
    public async Task It_is_refused_and_the_reason_is_named()
    {
        CliRun run = await CliRun.OfAsync(list.Source, "-t", list.Target);
        Assert.Equal(ExitCodes.Failed, run.ExitCode);
        Assert.Contains("which are more than a volume of its length has", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_assessment_counts_it_as_incomplete()
    {
        CliRun run = await CliRun.OfAsync("assess", list.Source);
        Assert.Contains("incomplete", run.Output, StringComparison.Ordinal);
        Assert.Contains("which are more than a volume of its length has", run.Output, StringComparison.Ordinal);
    }
}
