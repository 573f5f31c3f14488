namespace Restore.Cli.Mount;

/// <summary>What a mount works with.</summary>
/// <param name="Open">Opens the backup, as it is in the store now.</param>
/// <param name="Memory">Keeps blocks.</param>
/// <param name="Warn">Receives sentences for the user.</param>
/// <param name="Clock">The clock.</param>
internal sealed record MountSettings(Func<CancellationToken, Task<Backup>> Open, BlockMemory Memory, Action<string> Warn, TimeProvider Clock)
{
    /// <summary>Limit of the memory of trees that nobody uses at the moment. The last two stay in any case.</summary>
    public long MaxTreeBytes { get; init; } = Math.Max(64 << 20, Math.Min(1L << 30, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 8));

    /// <summary>The owner of what has none in the backup.</summary>
    public uint UserId { get; init; }

    /// <summary>The group of what has none in the backup.</summary>
    public uint GroupId { get; init; }
}

/// <summary>
/// The log of a mount: passes each sentence on once. A mount can live for weeks, and a damaged backup has many: the first hundred are enough to know.
/// </summary>
internal sealed class MountWarnings(Action<string> write)
{
    private const int Most = 100;

    private readonly HashSet<string> known = [];
    private readonly Lock gate = new();

    /// <summary>A lost volume is one sentence, however many entries need it. Null if the loss is not that of a volume.</summary>
    public static string? OfLoss(BackupTree tree, TreeId entry) => tree.LostVolumeOf(entry) is { } volume
        ? $"{volume} is missing or damaged: what only it has cannot be read here. 'restore affected' lists the entries" : null;

    public void Add(string sentence)
    {
        lock (gate)
        {
            if (known.Count > Most || !known.Add(sentence))
            {
                return;
            }

            write(known.Count <= Most ? sentence : "There are more problems like these; 'restore verify' lists all of them");
        }
    }
}
