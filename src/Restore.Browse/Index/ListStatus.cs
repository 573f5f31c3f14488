namespace Restore.Browse.Index;

/// <summary>
/// Entries counts the entries read so far, LeftOut the entries with paths too long to be shown.
/// </summary>
internal sealed record ListStatus(ListState State, int Entries = 0, int LeftOut = 0, Exception? Failure = null)
{
    /// <summary>Why entries are missing in a list that was read; null if none are.</summary>
    public string? Problem { get; init; }

    /// <summary>
    /// Whether the backup of the version was stopped or took no file; known when the list is read.
    /// </summary>
    public bool IsPartial { get; init; }
}
