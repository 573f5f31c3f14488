namespace Restore.Planning.Records;

/// <summary>What the record of an interrupted run says.</summary>
/// <param name="begunTicks">When the run began, by the clock of the target.</param>
/// <param name="lastTicks">When it wrote to its record for the last time.</param>
internal sealed class EarlierRun(long begunTicks, long lastTicks)
{
    // A run writes to its record each second. A write to a slow device can end later, and some file systems have times of two seconds.
    private const long SlackTicks = 10 * TimeSpan.TicksPerSecond;

    private readonly HashSet<string> made = new(StringComparer.Ordinal);

    public IReadOnlySet<string> Made => made;

    public List<string> Temporaries { get; } = [];

    /// <summary>Whether the record has something in it that is no item.</summary>
    public bool IsDamaged { get; private set; }

    /// <summary>Adds an item. What cannot be one is left out.</summary>
    public void Add(char kind, string path)
    {
        switch (kind)
        {
            case var _ when !RecordNames.IsPath(path):
                IsDamaged = true;
                break;
            case RecordFormat.Made:
                made.Add(path);
                break;
            case RecordFormat.NotMade:
                made.Remove(path);
                break;
            case RecordFormat.Temporary:
                Temporaries.Add(path);
                break;
            default:
                IsDamaged = true;
                break;
        }
    }

    /// <summary>
    /// Whether the file at a path, which is not right, is one that the run made. Whoever changed it after the run owns it. A file that has the backup's time
    /// was right once, and lost content with the power.
    /// </summary>
    public bool LeftUnfinished(string path, in TargetStatus status, bool hasBackupTime) =>
        status.Kind == TargetKind.File
        && status.LinkCount == 1
        && (hasBackupTime || (status.ModifiedTicks >= begunTicks - TimeSpan.TicksPerSecond && status.ModifiedTicks <= lastTicks + SlackTicks))
        && made.Contains(path);
}
