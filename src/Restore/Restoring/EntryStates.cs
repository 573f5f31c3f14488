using Restore.Catalog;

namespace Restore.Restoring;

/// <summary>The state of entries over all passes. Only the FileProcessor that owns an entry touches its state.</summary>
internal sealed class EntryStates(int count)
{
    private readonly bool[] started = new bool[count];
    private readonly bool[] replaced = new bool[count];

    /// <summary>Whether something of the entry was written to the target.</summary>
    public bool IsStarted(EntryId entry) => started[entry];

    public void SetStarted(EntryId entry) => started[entry] = true;

    /// <summary>Whether the file of the entry has replaced what was at its path; before that it has a temporary name.</summary>
    public bool HasReplaced(EntryId entry) => replaced[entry];

    public void SetReplaced(EntryId entry) => replaced[entry] = true;
}
