using System.Text.RegularExpressions;

namespace Restore.Tests.Docs;

/// <summary>
/// The picture in docs/architecture.md is what the three wiring files wire: the same processes, in
/// the same order, in as many copies.
/// </summary>
public sealed partial class PictureTests
{
    private static readonly Dictionary<string, string> Copies = new()
    {
        ["targetScanners"] = "[f]",
        ["FileProcessors"] = "[f]",
        ["VolumeDownloaders"] = "[d]",
        ["VolumeDecryptors"] = "[x]",
        ["VolumeDecompressors"] = "[e]",
    };

    private static readonly string Architecture = Page.Of("docs/architecture.md").Text;

    /// <summary>The wiring files of each phase, and the method that wires.</summary>
    private static readonly (string File, string Method)[][] Phases =
    [
        [("Planning/Scanning/ScanNetwork.cs", "ScanAsync")],
        [("Reading/BlockStream.cs", "AddTo"), ("Restoring/RestoreNetwork.cs", "RunPassAsync")],
    ];

    [Theory]
    [InlineData(0, "FileLister")]
    [InlineData(1, "VolumeManager")]
    public void The_picture_is_what_is_wired(int phase, string first)
    {
        string wired = string.Join(" --> ", Wired(Phases[phase]));
        Assert.StartsWith(first + " --> ", wired, StringComparison.Ordinal);
        Assert.Contains($"      {wired}\n", Architecture, StringComparison.Ordinal);
    }

    [Fact]
    public void Each_wiring_file_has_its_part_of_the_picture() =>
        Assert.All(
            Phases.SelectMany(files => files),
            wiring =>
            {
                string wired = string.Join(" --> ", Wired([wiring]));
                Assert.Contains($"/// {wired}\n", Text(wiring.File), StringComparison.Ordinal);
                Assert.Contains($"`src/Restore/{wiring.File}`", Architecture, StringComparison.Ordinal);
            }
        );

    [Fact]
    public void The_table_of_processes_follows_the_picture()
    {
        IEnumerable<string> rows = Architecture
            .Split('\n')
            .SkipWhile(line => !line.StartsWith("| process |", StringComparison.Ordinal))
            .Skip(2)
            .TakeWhile(line => line.StartsWith('|'))
            .Select(line => line.Split('|')[1].Trim());
        Assert.Equal(Phases.SelectMany(Wired).Select(process => process.Split('[')[0]), rows);
    }

    /// <summary>The processes that the methods add, in order.</summary>
    private static IEnumerable<string> Wired((string File, string Method)[] wirings) =>
        from wiring in wirings
        from match in Added().Matches(BodyOf(wiring.File, wiring.Method))
        select match.Groups["name"].Value + Copies.GetValueOrDefault(match.Groups["copies"].Value);

    private static string BodyOf(string file, string method)
    {
        string body = MemberStart()
            .Split(Text(file))
            .Single(member => member.Split('\n')[0].Contains($" {method}(", StringComparison.Ordinal));
        return body[body.IndexOf('\n', StringComparison.Ordinal)..];
    }

    private static string Text(string file) =>
        File.ReadAllText(Path.Combine(Fixtures.RepositoryRoot(), "src", "Restore", file));

    [GeneratedRegex(@"network\s*\.Add(Source|Stage|Sink)?\(\s*""(?<name>\w+)""(,\s*(settings\.)?(?<copies>\w+))?")]
    private static partial Regex Added();

    [GeneratedRegex(@"^    (?=public|private)", RegexOptions.Multiline)]
    private static partial Regex MemberStart();
}
