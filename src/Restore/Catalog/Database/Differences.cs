namespace Restore.Catalog.Database;

/// <summary>
/// The differences between a database and the folder of its backup: the first few, and the number
/// of the others.
/// </summary>
internal sealed class Differences(string databasePath)
{
    // Enough to recognize the problem; an unrelated database would produce a line for every volume.
    private const int MaxLines = 10;

    private readonly List<RestoreIssue> lines = [];
    private int more;

    public void Add(string path, string reason)
    {
        if (lines.Count < MaxLines)
        {
            lines.Add(new RestoreIssue(IssueKind.Warning, path, reason));
        }
        else
        {
            more++;
        }
    }

    public IReadOnlyList<RestoreIssue> ToIssues() =>
        more == 0
            ? lines
            :
            [
                .. lines,
                new RestoreIssue(
                    IssueKind.Warning,
                    databasePath,
                    $"The database and the folder differ in {more:N0} more ways"
                ),
            ];
}
