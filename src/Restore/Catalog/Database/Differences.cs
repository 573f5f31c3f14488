namespace Restore.Catalog.Database;

/// <summary>What a database and the folder of its backup say differently: the first few, and how many more there are.</summary>
internal sealed class Differences(string databasePath)
{
    // Enough to see what kind of thing is wrong; a database that has nothing to do with the folder would give a line for every volume.
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
        more == 0 ? lines : [.. lines, new RestoreIssue(IssueKind.Warning, databasePath, $"The database and the folder differ in {more:N0} more ways")];
}
