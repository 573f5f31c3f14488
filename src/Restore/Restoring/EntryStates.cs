using Restore.Catalog;

namespace Restore.Restoring;

/// <summary>The state of entries over all passes. Only the FileProcessor that owns an entry touches its state.</summary>
internal sealed class EntryStates(int count)
{
    private readonly bool[] started = new bool[count];

    /// <summary>Whether something of the entry was written to the target.</summary>
    public bool IsStarted(EntryId entry) => started[entry];

    public void SetStarted(EntryId entry) => started[entry] = true;
}
