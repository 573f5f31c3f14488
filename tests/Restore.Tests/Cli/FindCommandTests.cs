using System.Security.Cryptography;
using System.Text;
using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>Files found by what they are like.</summary>
public sealed class FindCommandTests : IAsyncLifetime
{
    public static readonly string[] Options =
    [
        "--min-size",
        "--max-size",
        "--changed-since",
        "--changed-before",
        "--hash",
        "--similar",
    ];

    private static readonly DateTime Time = DateTime.UnixEpoch.AddYears(40);

    private readonly TempFolder folder = new();
    private readonly SourceFolder source;

    public FindCommandTests() => source = new SourceFolder(folder);

    private string Store => source.Store;

    public async ValueTask InitializeAsync()
    {
        source.Write("thesis.odt", TextOf(100), Time);
        source.Write("small.txt", TextOf(10), Time.AddDays(1));
        source.Write("big.bin", TextOf(5000), Time.AddDays(2));
        await source.BackUpAsync(1);
        source.Write("big.bin", TextOf(6000), Time.AddDays(2));
        await source.BackUpAsync(2);
        source.Write("big.bin", TextOf(5000), Time.AddDays(2));
        await source.BackUpAsync(3);
    }

    [Theory]
    [InlineData("big.bin", "--min-size=5000b")]
    [InlineData("thesis.odt", "--min-size=100b", "--max-size=100b")]
    [InlineData("small.txt", "--max-size=99b")]
    [InlineData("big.bin small.txt", "--changed-since=2010-01-02T00:00:00Z")]
    [InlineData("thesis.odt", "--changed-before=2010-01-01T12:00:00Z")]
    [InlineData("small.txt", "--changed-since=2010-01-01T12:00:00Z", "--changed-before=2010-01-02T12:00:00Z")]
    [InlineData("thesis.odt", "--similar=tesis")]
    [InlineData("thesis.odt", "--similar=TEHSIS")]
    [InlineData("thesis.odt", "--similar=thesis.odf")]
    [InlineData("small.txt", "--similar=smal.text")]
    [InlineData("big.bin", "*.bin", "--min-size=1b")]
    public async Task Files_are_found_by_size_time_and_similar_names(string expected, params string[] options)
    {
        var run = await CliRun.OfAsync(["find", Store, .. options]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Equal(
            expected.Split(' '),
            run.Output.Split('\n').Where(line => line.StartsWith('/')).Select(Path.GetFileName)
        );
    }

    [Fact]
    public async Task Each_distinct_content_is_one_line_and_is_found_by_its_hash()
    {
        var run = await CliRun.OfAsync("find", Store, "big.bin");
        var lines = run.Output.TrimEnd('\n').Split('\n')[1..];
        Assert.Equal(2, lines.Length);
        Assert.StartsWith("    versions 0, 2 of ", lines[0], StringComparison.Ordinal);
        Assert.Contains("5,000 bytes", lines[0], StringComparison.Ordinal);
        Assert.StartsWith("    version 1 of ", lines[1], StringComparison.Ordinal);

        var hash = Convert.ToHexString(SHA256.HashData(Encoding.ASCII.GetBytes(new string('x', 6000))));
        var byHash = await CliRun.OfAsync("find", Store, $"--hash={hash[..16]}");
        Assert.Equal(2, byHash.Output.TrimEnd('\n').Split('\n').Length);
        Assert.Contains("    version 1 of ", byHash.Output, StringComparison.Ordinal);
        var json = await CliRun.OfAsync("find", Store, "--hash", hash, "--json");
        Assert.Contains($"\"hash\":\"{hash.ToLowerInvariant()}\"", json.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ExitCodes.NotFound, "No version has anything that matches", "--similar=something else")]
    [InlineData(ExitCodes.NotFound, "No version has anything that matches", "--min-size=1gb")]
    [InlineData(ExitCodes.Usage, "--hash: 'xyz' cannot be used; give hexadecimal digits", "--hash=xyz")]
    [InlineData(ExitCodes.Usage, "What to find is missing")]
    public async Task Nothing_found_and_nothing_asked_are_errors_of_their_own(
        int code,
        string error,
        params string[] options
    )
    {
        var run = await CliRun.OfAsync(["find", Store, .. options]);
        Assert.Equal((code, ""), (run.ExitCode, run.Output));
        Assert.StartsWith(error, run.Error, StringComparison.Ordinal);
    }

    public ValueTask DisposeAsync()
    {
        folder.Dispose();
        return ValueTask.CompletedTask;
    }

    private static string TextOf(int length) => new('x', length);
}
