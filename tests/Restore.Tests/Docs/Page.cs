using System.Text.RegularExpressions;

namespace Restore.Tests.Docs;

/// <summary>A page of the documentation, with its path in the repository.</summary>
internal sealed partial record Page(string Path, string Text)
{
    private static readonly string[] OfTheProjects =
    [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "src/Restore/README.md",
        "src/Restore.Cli/README.md",
        "src/Restore.Sftp/README.md",
        "src/Restore.S3/README.md",
        "src/Restore.Azure/README.md",
        "src/Restore.DependencyInjection/README.md",
        "benchmarks/log.md",
        "benchmarks/results/README.md",
    ];

    /// <summary>The file.</summary>
    public string FullPath => System.IO.Path.Combine(Fixtures.RepositoryRoot(), Path);

    /// <summary>All pages: those at the root, docs, and those of packages.</summary>
    public static IReadOnlyList<Page> All()
    {
        string root = Fixtures.RepositoryRoot();
        IEnumerable<string> docs = Directory.EnumerateFiles(
            System.IO.Path.Combine(root, "docs"),
            "*.md",
            SearchOption.AllDirectories
        );
        return
        [
            .. OfTheProjects
                .Select(name => System.IO.Path.Combine(root, name))
                .Concat(docs.Order(StringComparer.Ordinal))
                .Select(file => new Page(System.IO.Path.GetRelativePath(root, file), File.ReadAllText(file))),
        ];
    }

    /// <summary>One page.</summary>
    public static Page Of(string path) => All().Single(page => page.Path == path);

    /// <summary>The targets of its links that are no URLs.</summary>
    public IEnumerable<string> LinkedFiles() =>
        Link()
            .Matches(Text)
            .Select(match => match.Groups[1].Value)
            .Where(target => !target.Contains("://", StringComparison.Ordinal));

    /// <summary>What stands between backquotes.</summary>
    public IEnumerable<string> InlineCode() => Code().Matches(Text).Select(match => match.Groups[1].Value);

    /// <summary>The lines that are indented as code, without their indentation.</summary>
    public IEnumerable<string> IndentedLines() =>
        Text.Split('\n').Where(line => line.StartsWith("    ", StringComparison.Ordinal)).Select(line => line.Trim());

    /// <summary>The blocks fenced as code of a language.</summary>
    public IEnumerable<string> Fenced(string language) =>
        Text.Split($"```{language}\n").Skip(1).Select(rest => rest[..rest.IndexOf("```", StringComparison.Ordinal)]);

    /// <summary>
    /// The headings that its links to pages name: the file, and the heading in the form of an
    /// address.
    /// </summary>
    public IEnumerable<(string File, string Heading)> LinkedHeadings() =>
        HeadingLink()
            .Matches(Text)
            .Select(match =>
                (match.Groups["inline"].Value + match.Groups["listed"].Value, match.Groups["heading"].Value)
            )
            .Where(link => !link.Item1.Contains("://", StringComparison.Ordinal));

    /// <summary>
    /// Its headings in the form of an address: lower case, a hyphen for each space, no punctuation.
    /// </summary>
    public IEnumerable<string> Headings() =>
        Text.Split('\n')
            .Where(line => line.StartsWith('#'))
            .Select(line => Punctuation().Replace(line.TrimStart('#').Trim().ToLowerInvariant(), "").Replace(' ', '-'));

    [GeneratedRegex(
        @"(?:\]\((?<inline>[^)\s#]*)|^\[[^]]+\]: (?<listed>[^\s#]*))#(?<heading>[^)\s]*)",
        RegexOptions.Multiline
    )]
    private static partial Regex HeadingLink();

    [GeneratedRegex(@"[^\w\- ]")]
    private static partial Regex Punctuation();

    [GeneratedRegex(@"(?:\]\(|^\[[^]]+\]: )([^)\s#]+)(?:#[^)\s]*)?\)?", RegexOptions.Multiline)]
    private static partial Regex Link();

    [GeneratedRegex("(?<!`)`([^`\n]+)`(?!`)")]
    private static partial Regex Code();
}
