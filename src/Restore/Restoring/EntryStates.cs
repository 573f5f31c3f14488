using Restore.Catalog;

namespace Restore.Restoring;

/// <summary>The state of entries over all passes. Only the FileProcessor that owns an entry touches its state.</summary>
internal sealed class EntryStates(int count)
{
    private readonly byte[] flags = new byte[count];

    /// <summary>Whether something of the entry was written to the target.</summary>
    public bool IsStarted(EntryId entry) => (flags[entry] & 1) != 0;

    public void SetStarted(EntryId entry) => flags[entry] |= 1;

    /// <summary>Whether the entry's metadata was applied.</summary>
    public bool HasMetadata(EntryId entry) => (flags[entry] & 2) != 0;

    public void SetHasMetadata(EntryId entry) => flags[entry] |= 2;
}
