namespace Restore;

/// <summary>Collects issues from any number of threads.</summary>
internal sealed class IssueLog
{
    private readonly Lock gate = new();
    private readonly List<RestoreIssue> issues = [];

    public void Add(RestoreIssue issue)
    {
        lock (gate)
        {
            issues.Add(issue);
        }
    }

    public void AddRange(IEnumerable<RestoreIssue> more)
    {
        lock (gate)
        {
            issues.AddRange(more);
        }
    }

    /// <summary>The issues so far.</summary>
    public IReadOnlyList<RestoreIssue> ToList()
    {
        lock (gate)
        {
            return [.. issues];
        }
    }
}
