using System.Text.RegularExpressions;

namespace Restore.Tests.Docs;

/// <summary>The picture in docs/architecture.md is what RestoreNetwork.cs wires: the same processes, in the same order, in as many copies.</summary>
public sealed partial class PictureTests
{
    private static readonly Dictionary<string, string> Copies = new()
    {
        ["FileProcessors"] = "[f]", ["VolumeDownloaders"] = "[d]", ["VolumeDecryptors"] = "[x]", ["VolumeDecompressors"] = "[e]",
    };

    private static readonly string Wiring = File.ReadAllText(Path.Combine(Fixtures.RepositoryRoot(), "src", "Restore", "Network", "RestoreNetwork.cs"));

    private static readonly string Architecture = Page.Of("docs/architecture.md").Text;

    [Theory]
    [InlineData("ScanAsync", "FileLister")]
    [InlineData("RestoreAsync", "VolumeManager")]
    public void The_picture_is_what_is_wired(string method, string first)
    {
        string wired = string.Join(" --> ", Wired(method));
        Assert.StartsWith(first + " --> ", wired, StringComparison.Ordinal);
        Assert.Contains($"      {wired}\n", Architecture, StringComparison.Ordinal);
        Assert.Contains($"   {wired}\n", Wiring, StringComparison.Ordinal);
    }

    [Fact]
    public void The_table_of_processes_follows_the_picture()
    {
        IEnumerable<string> rows = Architecture.Split('\n')
            .SkipWhile(line => !line.StartsWith("| process |", StringComparison.Ordinal)).Skip(2)
            .TakeWhile(line => line.StartsWith('|')).Select(line => line.Split('|')[1].Trim());
        Assert.Equal([.. Wired("ScanAsync").Concat(Wired("RestoreAsync")).Select(process => process.Split('[')[0])], rows);
    }

    /// <summary>The processes a method adds, in order, those of the method it calls for the volumes included.</summary>
    private static IEnumerable<string> Wired(string method) => Added().Matches(BodyOf(method)).SelectMany(match => match.Groups["call"].Success
        ? Wired("AddVolumeStages")
        : [match.Groups["name"].Value + Copies.GetValueOrDefault(match.Groups["copies"].Value)]);

    private static string BodyOf(string method)
    {
        string body = MemberStart().Split(Wiring).Single(member => member.Split('\n')[0].Contains($" {method}(", StringComparison.Ordinal));
        return body[body.IndexOf('\n', StringComparison.Ordinal)..];
    }

    [GeneratedRegex(@"network\.Add(Source|Stage|Sink)?\(""(?<name>\w+)""(, settings\.(?<copies>\w+))?|(?<call>AddVolumeStages\()")]
    private static partial Regex Added();

    [GeneratedRegex(@"^    (?=public|private)", RegexOptions.Multiline)]
    private static partial Regex MemberStart();
}
