using Restore.Reading;

namespace Restore.Restoring;

/// <summary>
/// One piece of work: an entry, which of its items (content blocks first, then metadata blocks),
/// and the bytes, of which it owns one use.
/// </summary>
internal readonly record struct WorkItem(WorkKind Kind, EntryId Entry, Item Item, BlockBytes Bytes)
    : IDisposable,
        IMeasured
{
    long IMeasured.Bytes => Bytes.Length;

    public void Dispose() => Bytes.Dispose();
}
