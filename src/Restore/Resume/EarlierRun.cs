namespace Restore.Resume;

/// <summary>
/// What the record of an interrupted run says: which partial files it may have made, and for which
/// paths.
/// </summary>
/// <param name="Partials">By final path: the path of the partial file. A record cannot name
/// anything else, no matter who wrote it.</param>
/// <param name="IsDamaged">Whether the record has something in it that is not an item.</param>
internal sealed record EarlierRun(IReadOnlyDictionary<string, string> Partials, bool IsDamaged)
{
    /// <summary>By path: the modes of folders that the run opened to their owner.</summary>
    public IReadOnlyDictionary<string, int> Modes { get; init; } = new Dictionary<string, int>();
}
