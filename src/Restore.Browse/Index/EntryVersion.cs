namespace Restore.Browse.Index;

/// <summary>
/// The time is in UTC ticks, and the content is the first 8 bytes of its hash; both are 0 if the
/// list has none.
/// </summary>
internal readonly record struct EntryVersion(BackupEntryKind Kind, long SizeBytes, long TimeTicks, ulong Content)
{
    /// <summary>Whether only times differ, if anything.</summary>
    public bool HasContentOf(EntryVersion other) =>
        Kind == other.Kind && SizeBytes == other.SizeBytes && Content == other.Content;
}
