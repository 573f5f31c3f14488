namespace Restore.Mount;

/// <summary>What a mount works with.</summary>
/// <param name="Open">Opens the backup, as it is in the store now.</param>
/// <param name="Memory">Keeps blocks.</param>
/// <param name="Warn">Receives sentences for the user.</param>
/// <param name="Clock">The clock.</param>
internal sealed record MountSettings(
    Func<CancellationToken, Task<Backup>> Open,
    BlockMemory Memory,
    Action<string> Warn,
    TimeProvider Clock
)
{
    /// <summary>
    /// Limit of the memory of trees that are not in use. The last two stay in any case.
    /// </summary>
    public long MaxTreeBytes { get; init; } =
        Math.Max(64 << 20, Math.Min(1L << 30, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 8));

    /// <summary>The owner of entries without an owner in the backup.</summary>
    public uint UserId { get; init; }

    /// <summary>The group of entries without a group in the backup.</summary>
    public uint GroupId { get; init; }
}
