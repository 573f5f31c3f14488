namespace Restore.Tests.Architecture;

/// <summary>Source is read side by side: no line is longer than <c>.editorconfig</c> says.</summary>
public sealed class LineTests
{
    private const int MaxLength = 160;

    [Theory]
    [InlineData("src")]
    [InlineData("tests")]
    [InlineData("benchmarks")]
    public void No_line_is_too_long(string folder)
    {
        string root = Path.Combine(Fixtures.RepositoryRoot(), folder);
        string[] files =
        [
            .. Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
                .Where(file => !Path.GetRelativePath(root, file).Split(Path.DirectorySeparatorChar).Any(part => part is "obj" or "bin")),
        ];

        Assert.NotEmpty(files);
        Violations.AssertNone(
            from file in files
            from line in File.ReadLines(file).Index()
            where line.Item.Length > MaxLength
            select $"{Path.GetRelativePath(root, file)}:{line.Index + 1} has {line.Item.Length} characters, {MaxLength} at most.");
    }
}
