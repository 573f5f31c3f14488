namespace Restore.Tests.Architecture;

/// <summary>
/// Source is read side by side and file by file: no line is longer than <c>.editorconfig</c> says,
/// except for a text that cannot be wrapped, and a file fits in a few screens.
/// </summary>
public sealed class LineTests
{
    private const int MaxLength = 120;
    private const int MaxLengthOfText = 160;
    private const int MaxLines = 400;
    private const int MaxLinesOfTests = 560;

    /// <summary>
    /// Files that read better whole, each with the reason. A file that leaves the list does not
    /// come back.
    /// </summary>
    private static readonly Dictionary<string, string> ReadWhole = new(StringComparer.Ordinal)
    {
        ["Backup.cs"] = "half of it is the documentation of the type that every caller begins with",
        ["BackupMaintenance.cs"] = "half of it is the documentation of the public members",
        ["Kernel.cs"] = "a list of system calls, each of a few lines",
        ["LinuxTarget.cs"] = "the members of one contract, in the order of the contract",
        ["PortableTarget.cs"] = "the members of one contract, in the order of the contract",
        ["RestoreErrorCode.cs"] = "a list of codes",
        ["SharedOptions.cs"] = "a table of options",
        ["Wizard.cs"] = "the questions of the guide, in the order in which they are asked",
    };

    [Theory]
    [InlineData("src")]
    [InlineData("benchmarks")]
    public void No_line_of_code_is_longer_than_the_formatter_makes_it(string folder)
    {
        string root = Path.Combine(Fixtures.RepositoryRoot(), folder);
        string[] files = SourceFiles.In(folder);
        Assert.NotEmpty(files);
        Violations.AssertNone(
            from file in files
            from line in CodeOf(file)
            where line.Text.Length > MaxLength
            select $"{Path.GetRelativePath(root, file)}:{line.Number} has {line.Text.Length} characters, {MaxLength} at most."
        );
    }

    [Theory]
    [InlineData("src")]
    [InlineData("tests")]
    [InlineData("benchmarks")]
    public void No_line_is_too_long_for_a_screen(string folder)
    {
        string root = Path.Combine(Fixtures.RepositoryRoot(), folder);
        Violations.AssertNone(
            from file in SourceFiles.In(folder)
            from line in File.ReadLines(file).Index()
            where line.Item.Length > MaxLengthOfText
            select $"{Path.GetRelativePath(root, file)}:{line.Index + 1} has {line.Item.Length} characters, {MaxLengthOfText} at most."
        );
    }

    [Theory]
    [InlineData("src")]
    [InlineData("tests")]
    [InlineData("benchmarks")]
    public void No_file_is_too_long(string folder)
    {
        string root = Path.Combine(Fixtures.RepositoryRoot(), folder);
        Violations.AssertNone(
            from file in SourceFiles.In(folder)
            let lines = File.ReadLines(file).Count()
            let most = folder == "src" && !ReadWhole.ContainsKey(Path.GetFileName(file)) ? MaxLines : MaxLinesOfTests
            where lines > most
            select $"{Path.GetRelativePath(root, file)} has {lines} lines, {most} at most: split it by topic."
        );
    }

    [Fact]
    public void A_file_that_may_be_longer_is_longer() =>
        Assert.All(
            ReadWhole.Keys,
            name =>
                Assert.Contains(
                    SourceFiles.In("src"),
                    file => Path.GetFileName(file) == name && File.ReadLines(file).Count() > MaxLines
                )
        );

    /// <summary>
    /// The lines without those that have a text: the formatter wraps all code, but no string, no
    /// address and no directive.
    /// </summary>
    private static IEnumerable<(int Number, string Text)> CodeOf(string file)
    {
        bool isText = false;
        foreach ((int index, string line) in File.ReadLines(file).Index())
        {
            bool wasText = isText;
            isText ^= line.Split("\"\"\"").Length % 2 == 0;
            bool hasText =
                wasText
                || line.Contains('"', StringComparison.Ordinal)
                || line.Contains("://", StringComparison.Ordinal)
                || line.Contains("#pragma", StringComparison.Ordinal);
            if (!hasText)
            {
                yield return (index + 1, line);
            }
        }
    }
}
