using FsCheck;
using FsCheck.Fluent;
using Restore.Format.Selection;

namespace Restore.Tests.Planning;

/// <summary>
/// Plain paths are looked up in sets; the answers are those of going through the filters one by
/// one.
/// </summary>
public class PlainPathProperties
{
    private const StringComparison IgnoreCase = StringComparison.OrdinalIgnoreCase;

    private static readonly Gen<string> Texts = Gen.Elements('a', 'b', 'B', '/', '\\')
        .ArrayOf()
        .Resize(6)
        .Where(characters => characters.Length > 0)
        .Select(characters => new string(characters));

    private static readonly Gen<string> FolderNames =
        from separator in Gen.Elements('/', '\\')
        from name in Gen.Elements("", "a", "b", "B", "ab", @"a\b")
        from end in Gen.Elements("", "", "*")
        select $"*{separator}{name}{separator}{end}";

    // Plain ones, and now and then one that ends a set.
    private static readonly Gen<string> Expressions = Gen.Frequency(
        (9, Texts),
        (2, Texts.Select(text => "@" + text)),
        (2, Texts.Select(text => text + "*")),
        (3, FolderNames),
        (1, Texts.Select(text => "*" + text))
    );

    private static readonly Gen<(string[] Arguments, (bool Include, string Text)[] Rules, string[] Paths)> Cases =
        from arguments in Expressions.Where(text => text != "@").ArrayOf().Resize(8)
        from rules in Gen.Elements(true, true, false).Zip(Expressions).ArrayOf().Resize(12)
        from paths in Texts.ArrayOf().Resize(30)
        select (arguments, rules.Select(rule => (rule.Item1, rule.Item2)).ToArray(), paths);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void The_first_filter_that_matches_decides(bool caseSensitive) =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(3000),
            Prop.ForAll(
                Cases.ToArbitrary(),
                one =>
                {
                    EntryFilter filter = EntryFilter.Parse(
                        one.Arguments,
                        one.Rules.Select(rule => new FilterRule(rule.Include, rule.Text)),
                        caseSensitive
                    );
                    StringComparison comparison = caseSensitive
                        ? StringComparison.Ordinal
                        : StringComparison.OrdinalIgnoreCase;
                    return one.Paths.All(path =>
                        filter.Matches(path)
                        == (
                            path.StartsWith(@"\\", StringComparison.Ordinal)
                                ? Linear(
                                    [.. one.Arguments.Select(InWindows)],
                                    [.. one.Rules.Select(rule => (rule.Include, InWindows(rule.Text)))],
                                    path,
                                    IgnoreCase,
                                    '\\'
                                )
                                : Linear(one.Arguments, one.Rules, path, comparison, '/')
                        )
                    );
                }
            )
        );

    [Theory]
    [InlineData("C:/Users/Ann/")]
    [InlineData(@"c:\users\ann\Notes.txt")]
    [InlineData("NOTES.TXT")]
    [InlineData("*/ANN/*.txt")]
    [InlineData("@c:/users/ann/notes.txt")]
    public void A_path_of_Windows_is_found_with_either_separator_and_in_any_case(string argument)
    {
        EntryFilter filter = EntryFilter.Parse([argument], [], caseSensitive: true);
        Assert.True(filter.Matches(@"C:\Users\Ann\notes.txt"));
        Assert.False(filter.Matches(@"C:\Users\Bob\notes.md"));
        Assert.False(filter.Matches("/users/ann/Notes.md"));
    }

    private static string InWindows(string expression) => expression.Replace('/', '\\');

    private static bool Linear(
        string[] arguments,
        (bool Include, string Text)[] rules,
        string path,
        StringComparison comparison,
        char separator
    )
    {
        if (arguments.Any(argument => IsMatchOfArgument(argument, path, comparison, separator)))
        {
            return true;
        }

        bool takesTheRest = arguments.Length + rules.Length == 0 || rules.Any(rule => !rule.Include);
        return rules
                .Where(rule => IsMatch(rule.Text, path, comparison))
                .Select(rule => (bool?)rule.Include)
                .FirstOrDefault()
            ?? takesTheRest;
    }

    /// <summary>What it names, and what it means as a pattern.</summary>
    private static bool IsMatchOfArgument(string argument, string path, StringComparison comparison, char separator)
    {
        bool isPattern = !argument.StartsWith('@') && argument.Contains('*', StringComparison.Ordinal);
        bool isOfPaths =
            argument.StartsWith('*') || argument.TrimEnd(separator).Contains(separator, StringComparison.Ordinal);
        string pattern = (isOfPaths ? "" : $"*{separator}") + argument;
        return IsNamed(argument, path, comparison, separator)
            || (argument.StartsWith('@') && IsNamed(argument[1..], path, comparison, separator))
            || (isPattern && IsMatch(pattern.EndsWith(separator) ? pattern + '*' : pattern, path, comparison));
    }

    private static bool IsNamed(string text, string path, StringComparison comparison, char separator)
    {
        string tidy = PathArgument.Tidy(text, ofWindows: separator == '\\');
        string plain = tidy.TrimEnd(separator);
        bool namesFolder = plain.Length < tidy.Length;
        return plain.Length == 0 ? separator == '/' && path.StartsWith('/')
            : plain.Contains(separator, StringComparison.Ordinal)
                ? path.StartsWith(plain + separator, comparison)
                    || (!namesFolder && string.Equals(path, plain, comparison))
            : path[1..].Contains($"{separator}{plain}{separator}", comparison)
                || path.StartsWith($"{separator}{plain}{separator}", comparison)
                || (
                    !namesFolder
                    && (path.EndsWith($"{separator}{plain}", comparison) || path.EndsWith("/" + plain, comparison))
                );
    }

    private static bool IsMatch(string rule, string path, StringComparison comparison) =>
        rule.Length > 1 && rule.StartsWith('*') && rule.EndsWith('*') ? path.Contains(rule[1..^1], comparison)
        : rule.StartsWith('*') ? path.EndsWith(rule[1..], comparison)
        : rule.EndsWith('*') ? path.StartsWith(rule[..^1], comparison)
        : string.Equals(path, rule.TrimStart('@'), comparison);
}
