namespace Restore.Tests.Cli;

/// <summary>--first: what comes before everything else.</summary>
public sealed class FirstOptionTests : IAsyncLifetime
{
    public static readonly string[] Options = ["--first"];

    private readonly TempFolder folder = new();
    private readonly SourceFolder source;

    public FirstOptionTests() => source = new SourceFolder(folder);

    private string Target => Path.Combine(folder.Path, "out");

    public async ValueTask InitializeAsync()
    {
        source.Write("a.txt", "1", DateTime.UnixEpoch.AddYears(40));
        source.Write("b.txt", "2", DateTime.UnixEpoch.AddYears(40));
        await source.BackUpAsync(1);
    }

    [Theory]
    [InlineData("restore")]
    [InlineData("plan")]
    public void It_may_be_given_several_times_and_keeps_the_order(string command)
    {
        IReadOnlyList<EntryFilter> first = CliRun
            .Request(command, "/backup", "--first=/home/ann", "--first", "*.txt", "--restore-path=/tmp/out")
            .Restore.First;
        Assert.Equal(2, first.Count);
        Assert.True(first[0].Matches("/home/ann/x"));
        Assert.False(first[0].Matches("/etc/a.txt"));
        Assert.True(first[1].Matches("/etc/a.txt"));
    }

    [Fact]
    public async Task Everything_is_restored_and_a_filter_that_takes_nothing_is_named()
    {
        CliRun run = await CliRun.OfAsync(
            "restore",
            source.Store,
            "--first=b.txt",
            "--first=c.txt",
            $"--restore-path={Target}"
        );
        Assert.Equal(0, run.ExitCode);
        Assert.Equal(
            ["a.txt", "b.txt"],
            Directory.EnumerateFiles(Target, "*", SearchOption.AllDirectories).Select(Path.GetFileName).Order()
        );
        Assert.Contains(
            "Warning: --first number 2 takes nothing of what is selected",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.DoesNotContain("--first number 1", run.Error, StringComparison.Ordinal);
    }

    public ValueTask DisposeAsync()
    {
        folder.Dispose();
        return ValueTask.CompletedTask;
    }
}
