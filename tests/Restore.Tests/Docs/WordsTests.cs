using System.Text.RegularExpressions;
using Restore.Tests.Architecture;

namespace Restore.Tests.Docs;

/// <summary>
/// docs/words.md lists words that are not used; they are not in the places that it names.
/// </summary>
public sealed partial class WordsTests
{
    private const string List = "docs/words.md";

    public static TheoryData<string> Places() => ["docs", "tests", "src"];

    [Theory]
    [MemberData(nameof(Places))]
    public void No_refused_word_is_used(string place)
    {
        (string Word, string Instead, Regex Find)[] words =
        [
            .. Words()
                .Where(word => word.Places.Contains(place))
                .Select(word => (word.Word, word.Instead, Find(word.Word))),
        ];
        Assert.NotEmpty(words);
        Violations.AssertNone(
            from text in TextsOf(place)
            from word in words
            where word.Find.IsMatch(text.Content)
            from line in text.Content.Split('\n').Index()
            where word.Find.IsMatch(line.Item)
            select $"{text.Path}:{line.Index + 1} says '{word.Word}'; write: {word.Instead} ({List})"
        );
    }

    [Fact]
    public void A_word_is_found_in_a_sentence_and_in_the_name_of_a_test() =>
        Assert.All(
            Words(),
            word =>
            {
                Assert.Matches(Find(word.Word), $"What {word.Word}, for example.");
                Assert.Matches(Find(word.Word), $"A_test_that_{word.Word.Replace(' ', '_')}_is_named_so");
                Assert.DoesNotMatch(Find(word.Word), $"un{word.Word}");
            }
        );

    [Fact]
    public void Every_row_names_places_that_are_searched() =>
        Assert.All(
            Words(),
            word =>
                Assert.True(
                    word.Places is ["by eye"] || word.Places.All(place => Places().Any(row => row.Data == place)),
                    word.Word
                )
        );

    /// <summary>
    /// A row for each word: what to write instead, and where the word is refused.
    /// </summary>
    private static IEnumerable<(string Word, string Instead, string[] Places)> Words() =>
        from row in Page.Of(List).Text.Split('\n')
        where row.StartsWith("| `", StringComparison.Ordinal)
        let cells = row.Split('|', StringSplitOptions.TrimEntries)
        from Match word in Quoted().Matches(cells[1])
        select (word.Value.Trim('`'), cells[2], cells[3].Split(", "));

    /// <summary>Pages without what is code in them, or source files.</summary>
    private static IEnumerable<(string Path, string Content)> TextsOf(string place)
    {
        string root = Fixtures.RepositoryRoot();
        return place switch
        {
            "docs" => Page.All()
                .Where(page => page.Path != List)
                .Select(page => (page.Path, Quoted().Replace(LinkTarget().Replace(page.Text, "]"), "``"))),
            "tests" => SourcesIn("tests").Concat(SourcesIn("benchmarks")),
            _ => SourcesIn(place),
        };

        IEnumerable<(string Path, string Content)> SourcesIn(string folder) =>
            from file in Directory.EnumerateFiles(Path.Combine(root, folder), "*.cs", SearchOption.AllDirectories)
            let path = Path.GetRelativePath(root, file)
            where !path.Split(Path.DirectorySeparatorChar).Any(part => part is "obj" or "bin")
            select (path, File.ReadAllText(file));
    }

    /// <summary>
    /// A whole word, in any case, with spaces or (in names) underscores between its parts.
    /// </summary>
    private static Regex Find(string word) =>
        new($"(?<![A-Za-z]){word.Replace(" ", "[ _]", StringComparison.Ordinal)}(?![A-Za-z])", RegexOptions.IgnoreCase);

    [GeneratedRegex("`[^`\n]+`")]
    private static partial Regex Quoted();

    [GeneratedRegex(@"\]\([^)\n]*\)")]
    private static partial Regex LinkTarget();
}
