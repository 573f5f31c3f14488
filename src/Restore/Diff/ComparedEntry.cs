namespace Restore.Diff;

/// <summary>
/// An entry as a comparison keeps it. Metadata is the first 16 bytes of its hash; Hash is the place
/// of the content's hash, which is shown; 0 means none.
/// </summary>
internal record struct ComparedEntry(UInt128 Metadata, long SizeBytes, long TimeTicks, long Hash, BackupEntryKind Kind)
{
    public bool IsMet { get; set; }
}
