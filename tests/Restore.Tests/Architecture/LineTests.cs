namespace Restore.Tests.Architecture;

/// <summary>Source is read side by side and file by file: no line is longer than <c>.editorconfig</c> says, and no file has more than 400 lines.</summary>
public sealed class LineTests
{
    private const int MaxLength = 160;
    private const int MaxLines = 400;

    [Theory]
    [InlineData("src")]
    [InlineData("tests")]
    [InlineData("benchmarks")]
    public void No_line_is_too_long(string folder)
    {
        string root = Path.Combine(Fixtures.RepositoryRoot(), folder);
        string[] files = FilesIn(root);
        Assert.NotEmpty(files);
        Violations.AssertNone(
            from file in files
            from line in File.ReadLines(file).Index()
            where line.Item.Length > MaxLength
            select $"{Path.GetRelativePath(root, file)}:{line.Index + 1} has {line.Item.Length} characters, {MaxLength} at most.");
    }

    [Theory]
    [InlineData("src")]
    [InlineData("tests")]
    [InlineData("benchmarks")]
    public void No_file_is_too_long(string folder)
    {
        string root = Path.Combine(Fixtures.RepositoryRoot(), folder);
        Violations.AssertNone(
            from file in FilesIn(root)
            let lines = File.ReadLines(file).Count()
            where lines > MaxLines
            select $"{Path.GetRelativePath(root, file)} has {lines} lines, {MaxLines} at most: split it by topic.");
    }

    private static string[] FilesIn(string root) =>
    [
        .. Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
            .Where(file => !Path.GetRelativePath(root, file).Split(Path.DirectorySeparatorChar).Any(part => part is "obj" or "bin")),
    ];
}
