using Restore.Reading;

namespace Restore.Restoring;

/// <summary>
/// One piece of work: an entry, one of its items (content blocks first, then metadata blocks), and
/// the bytes. The work item owns one use of the bytes.
/// </summary>
internal readonly record struct WorkItem(WorkKind Kind, EntryId Entry, Item Item, BlockBytes Bytes)
    : IDisposable,
        IMeasured
{
    long IMeasured.Bytes => Bytes.Length;

    public void Dispose() => Bytes.Dispose();
}
