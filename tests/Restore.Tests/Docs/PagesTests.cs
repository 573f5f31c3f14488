using System.Text.RegularExpressions;
using Restore.Tests.Architecture;

namespace Restore.Tests.Docs;

/// <summary>What the pages point to is there, and they are true on every machine.</summary>
public sealed partial class PagesTests
{
    private static HashSet<string> InOtherProjects() =>
        [
            .. new[] { "Restore.Unit", "Restore.Simulation" }
                .SelectMany(project =>
                    Directory.GetFiles(
                        Path.Join(Fixtures.RepositoryRoot(), "tests", project),
                        "*Tests.cs",
                        SearchOption.AllDirectories
                    )
                )
                .Select(file => Path.GetFileNameWithoutExtension(file)),
        ];

    [Fact]
    public void Links_between_pages_lead_somewhere() =>
        Violations.AssertNone(
            from page in Page.All()
            from target in page.LinkedFiles()
            where !Path.Exists(Path.Combine(Path.GetDirectoryName(page.FullPath)!, target))
            select $"{page.Path} links to {target}, which is not there."
        );

    [Fact]
    public void Links_to_headings_lead_to_headings() =>
        Violations.AssertNone(
            from page in Page.All()
            from link in page.LinkedHeadings()
            let file = link.File.Length == 0
                ? page.FullPath
                : Path.GetFullPath(link.File, Path.GetDirectoryName(page.FullPath)!)
            let linked = Page.All().SingleOrDefault(other => other.FullPath == file)
            where linked is not null && !linked.Headings().Contains(link.Heading)
            select $"{page.Path} links to #{link.Heading} of {linked.Path}, which has no such heading."
        );

    [Fact]
    public void Files_and_folders_that_pages_name_are_there() =>
        Violations.AssertNone(
            from page in Page.All()
            from code in page.InlineCode()
            where RepositoryPath().IsMatch(code) && !Path.Exists(Path.Combine(Fixtures.RepositoryRoot(), code))
            select $"{page.Path} names {code}, which is not there."
        );

    [Fact]
    public void Every_page_is_in_the_index() =>
        AssertIndexed("docs/README.md", page => !page.Path.StartsWith("docs/decisions/0", StringComparison.Ordinal));

    [Fact]
    public void Every_decision_is_in_the_index_with_its_title_and_its_status()
    {
        AssertIndexed(
            "docs/decisions/README.md",
            page => page.Path.StartsWith("docs/decisions/0", StringComparison.Ordinal)
        );
        string index = Page.Of("docs/decisions/README.md").Text;
        Violations.AssertNone(
            from page in Decisions()
            let title = page.Text.Split('\n')[0]["# 0000: ".Length..]
            let row = $"| [{NumberOf(page)}]({Path.GetFileName(page.Path)}) | {title} | "
            where
                !index
                    .Split('\n')
                    .Any(line =>
                        line.StartsWith(row, StringComparison.Ordinal) && line.Length > row.Length + " |".Length
                    )
            select $"docs/decisions/README.md has no row for {page.Path} with its title and a status."
        );
    }

    [Fact]
    public void Every_decision_has_a_number_of_its_own()
    {
        Page[] decisions = [.. Decisions()];
        Assert.NotEmpty(decisions);
        Violations.AssertNone(
            from page in decisions
            where
                !NumberedName().IsMatch(page.Path)
                || !page.Text.StartsWith($"# {NumberOf(page)}: ", StringComparison.Ordinal)
            select $"{page.Path}: the file is called NNNN-some-words.md and begins with '# NNNN: '."
        );
        Violations.AssertNone(
            from page in decisions
            group page.Path by NumberOf(page) into same
            where same.Count() > 1
            select $"{string.Join(" and ", same)} have the same number."
        );
    }

    [Fact]
    public void Classes_of_tests_that_pages_name_are_there() =>
        Violations.AssertNone(
            from page in Page.All()
            from Match match in TestClass().Matches(page.Text)
            where
                !InOtherProjects().Contains(match.Value)
                && !typeof(PagesTests)
                    .Assembly.GetTypes()
                    .Any(type =>
                        type.Name == match.Value
                        || type.Namespace?.EndsWith('.' + match.Value, StringComparison.Ordinal) == true
                    )
            select $"{page.Path} names {match.Value}, which is not there."
        );

    /// <summary>
    /// Whatever else is an absolute path in a page may be true on the writer's machine only.
    /// </summary>
    [Fact]
    public void No_page_names_a_path_of_a_machine() =>
        Violations.AssertNone(
            from page in Page.All()
            from Match match in AbsolutePath().Matches(page.Text)
            where !Example().IsMatch(match.Value)
            select $"{page.Path} names {match.Value}; examples are below /mnt, /home, /a and /tmp/out."
        );

    [Fact]
    public void No_lock_file_names_a_package_source()
    {
        string root = Fixtures.RepositoryRoot();
        string[] folders = ["src", "tests", "benchmarks"];
        string[] files =
        [
            .. folders.SelectMany(folder =>
                Directory.EnumerateFiles(Path.Combine(root, folder), "packages*.lock.json", SearchOption.AllDirectories)
            ),
        ];
        Assert.NotEmpty(files);
        Assert.All(files, file => Assert.DoesNotContain("://", File.ReadAllText(file), StringComparison.Ordinal));
    }

    /// <summary>
    /// The index links to every page of docs that it is for; it is not for itself.
    /// </summary>
    private static void AssertIndexed(string index, Func<Page, bool> isIndexed)
    {
        Page list = Page.Of(index);
        HashSet<string> linked =
        [
            .. list.LinkedFiles().Select(target => Path.GetFullPath(target, Path.GetDirectoryName(list.FullPath)!)),
        ];
        Violations.AssertNone(
            from page in Page.All()
            where
                page.Path.StartsWith("docs/", StringComparison.Ordinal)
                && page.Path != index
                && isIndexed(page)
                && !linked.Contains(page.FullPath)
            select $"{index} does not link to {page.Path}."
        );
    }

    private static IEnumerable<Page> Decisions() =>
        Page.All()
            .Where(page =>
                page.Path.StartsWith("docs/decisions/", StringComparison.Ordinal)
                && page.Path != "docs/decisions/README.md"
            );

    private static string NumberOf(Page page) => Path.GetFileName(page.Path)[..4];

    [GeneratedRegex(@"\b[A-Z][A-Za-z]+Tests\b")]
    private static partial Regex TestClass();

    [GeneratedRegex(@"^docs/decisions/\d{4}-[a-z0-9-]+\.md$")]
    private static partial Regex NumberedName();

    [GeneratedRegex(@"^(src|tests|docs|benchmarks|\.ci)/[\w./-]+$")]
    private static partial Regex RepositoryPath();

    [GeneratedRegex(@"(?<=[\s`'""=(])/[a-z][\w-]*/[\w./-]*")]
    private static partial Regex AbsolutePath();

    [GeneratedRegex(
        @"^/(mnt/|home/|a/|tmp/out|root/(new-)?secret|(etc|var/lib)/duplicati-restore/|usr/lib/restore/|path/to/|proc/|sys/)"
    )]
    private static partial Regex Example();
}
