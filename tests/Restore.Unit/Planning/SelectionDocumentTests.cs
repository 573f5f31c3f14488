using System.Text.RegularExpressions;
using Restore.Format;
using Restore.Planning.Paths;

namespace Restore.Tests.Planning;

/// <summary>Runs the examples in the tables of docs/selection-and-paths.md.</summary>
public class SelectionDocumentTests
{
    [Fact]
    public void The_examples_of_path_arguments_hold() =>
        Assert.All(
            Rows("argument", "path in the backup", "restored"),
            row => Assert.Equal(row[2] == "yes", EntryFilter.Parse([row[0]], [], caseSensitive: true).Matches(row[1]))
        );

    [Fact]
    public void The_examples_of_expressions_hold() =>
        Assert.All(
            Rows("expression", "path in the backup", "matches"),
            row =>
                Assert.Equal(
                    row[2] == "yes",
                    EntryFilter.Parse([], [new FilterRule(true, row[0])], caseSensitive: true).Matches(row[1])
                )
        );

    [Fact]
    public void The_examples_of_times_are_understood() =>
        Assert.All(
            Rows("form", "example", "means").SelectMany(row => row[1].Split(", ")),
            example => Assert.True(TimeExpression.TryParse(example, TimeProvider.System, out _))
        );

    [Fact]
    public void The_examples_of_names_on_Windows_hold() =>
        Assert.All(
            Rows("name in the backup", "name on Windows"),
            row =>
            {
                var mapper = new PathMapper(
                    new RestoreOptions { Target = "out", DontCompressRestorePaths = true },
                    TargetRules.Windows
                );
                Assert.Equal(row[1], mapper.Complete().Map("/" + row[0], EntryKind.File, out _));
            }
        );

    [Fact]
    public void The_examples_of_drives_and_servers_hold() =>
        Assert.All(
            Rows("path in the backup", "restored as"),
            row =>
            {
                var mapper = new PathMapper(
                    new RestoreOptions { Target = "out", DontCompressRestorePaths = true },
                    TargetRules.Unix
                );
                mapper.Observe(System.Text.Encoding.UTF8.GetBytes(row[0]), EntryKind.File, isSelected: true);
                Assert.Equal(row[1], mapper.Complete().Map(row[0], EntryKind.File, out _));
                Assert.Equal(row[1], string.Join('/', EntryPath.TargetNames(row[0])));
                Assert.Equal(row[1], Restore.Streams.Archives.ArchiveSink.NameOf(row[0]));
            }
        );

    [Fact]
    public void The_examples_of_new_names_hold()
    {
        var rule = new RenameRule(new DateTimeOffset(2026, 1, 31, 12, 0, 0, TimeSpan.Zero), TimeZoneInfo.Utc);
        Assert.All(Rows("name", "restored as", "or"), row => Assert.Equal(row[1..], rule.Candidates(row[0]).Take(2)));
    }

    /// <summary>The rows of the table with these headings, without the marks for code.</summary>
    private static string[][] Rows(params string[] headings)
    {
        string[] lines = File.ReadAllLines(Path.Combine(Fixtures.RepositoryRoot(), "docs", "selection-and-paths.md"));
        int heading = Array.IndexOf(lines, $"| {string.Join(" | ", headings)} |");
        string[][] rows = [.. lines.Skip(heading + 2).TakeWhile(line => line.StartsWith('|')).Select(Cells)];
        Assert.True(heading >= 0 && rows.Length > 0, "The table is gone.");
        return rows;
    }

    private static string[] Cells(string row) => [.. Regex.Split(row.Trim('|'), @"(?<!\\)\|").Select(WithoutMarks)];

    private static string WithoutMarks(string cell) =>
        cell.Trim().Replace("`", "", StringComparison.Ordinal).Replace("\\|", "|", StringComparison.Ordinal);
}
