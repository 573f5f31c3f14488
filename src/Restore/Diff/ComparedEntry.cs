namespace Restore.Diff;

/// <summary>
/// Metadata is the first 16 bytes of its hash, Hash the one that is shown of the content; 0 for
/// none.
/// </summary>
internal record struct ComparedEntry(UInt128 Metadata, long SizeBytes, long TimeTicks, long Hash, BackupEntryKind Kind)
{
    public bool IsMet { get; set; }
}
