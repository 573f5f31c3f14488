using System.Text.RegularExpressions;
using Restore.Tests.Architecture;

namespace Restore.Tests.Docs;

/// <summary>What the pages point to is there, and they are true on every machine.</summary>
public sealed partial class PagesTests
{
    private static readonly string[] InSimulation = ["SchedulerTests", "SeedTests"];

    [Fact]
    public void Links_between_pages_lead_somewhere() => Violations.AssertNone(
        from page in Page.All()
        from target in page.LinkedFiles()
        where !Path.Exists(Path.Combine(Path.GetDirectoryName(page.FullPath)!, target))
        select $"{page.Path} links to {target}, which is not there.");

    [Fact]
    public void Files_and_folders_that_pages_name_are_there() => Violations.AssertNone(
        from page in Page.All()
        from code in page.InlineCode()
        where RepositoryPath().IsMatch(code) && !Path.Exists(Path.Combine(Fixtures.RepositoryRoot(), code))
        select $"{page.Path} names {code}, which is not there.");

    [Fact]
    public void Every_decision_has_a_number_of_its_own()
    {
        Page[] decisions = [.. Page.All().Where(page => page.Path.StartsWith("docs/decisions/", StringComparison.Ordinal))];
        Assert.NotEmpty(decisions);
        Violations.AssertNone(
            from page in decisions
            where !NumberedName().IsMatch(page.Path) || !page.Text.StartsWith($"# {NumberOf(page)}: ", StringComparison.Ordinal)
            select $"{page.Path}: the file is called NNNN-some-words.md and begins with '# NNNN: '.");
        Violations.AssertNone(
            from page in decisions
            group page.Path by NumberOf(page) into same
            where same.Count() > 1
            select $"{string.Join(" and ", same)} have the same number.");
    }

    [Fact]
    public void Classes_of_tests_that_pages_name_are_there() => Violations.AssertNone(
        from page in Page.All()
        from Match match in TestClass().Matches(page.Text)
        where !InSimulation.Contains(match.Value) && !typeof(PagesTests).Assembly.GetTypes().Any(
            type => type.Name == match.Value || type.Namespace?.EndsWith('.' + match.Value, StringComparison.Ordinal) == true)
        select $"{page.Path} names {match.Value}, which is not there.");

    /// <summary>Whatever else is an absolute path in a page may be true on the writer's machine only.</summary>
    [Fact]
    public void No_page_names_a_path_of_a_machine() => Violations.AssertNone(
        from page in Page.All()
        from Match match in AbsolutePath().Matches(page.Text)
        where !Example().IsMatch(match.Value)
        select $"{page.Path} names {match.Value}; examples are below /mnt, /home, /a and /tmp/out.");

    [Fact]
    public void No_lock_file_names_a_package_source()
    {
        string root = Fixtures.RepositoryRoot();
        string[] folders = ["src", "tests", "benchmarks"];
        string[] files =
        [
            .. folders.SelectMany(folder => Directory.EnumerateFiles(Path.Combine(root, folder), "packages*.lock.json", SearchOption.AllDirectories)),
        ];
        Assert.NotEmpty(files);
        Assert.All(files, file => Assert.DoesNotContain("://", File.ReadAllText(file), StringComparison.Ordinal));
    }

    private static string NumberOf(Page page) => Path.GetFileName(page.Path)[..4];

    [GeneratedRegex(@"\b[A-Z][A-Za-z]+Tests\b")]
    private static partial Regex TestClass();

    [GeneratedRegex(@"^docs/decisions/\d{4}-[a-z0-9-]+\.md$")]
    private static partial Regex NumberedName();

    [GeneratedRegex(@"^(src|tests|docs|benchmarks|\.ci)/[\w./-]+$")]
    private static partial Regex RepositoryPath();

    [GeneratedRegex(@"(?<=[\s`'""=(])/[a-z][\w-]*/[\w./-]*")]
    private static partial Regex AbsolutePath();

    [GeneratedRegex(@"^/(mnt/|home/|a/|tmp/out|root/secret|path/to/|proc/|sys/)")]
    private static partial Regex Example();
}
