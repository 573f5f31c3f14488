namespace Restore.Trees;

/// <summary>
/// An entry while its file list is read, without an object or a string. It is valid only during the
/// call that receives it.
/// </summary>
public readonly ref struct EntryInList
{
    internal EntryInList(
        ReadOnlySpan<byte> path,
        EntryKind kind,
        long sizeBytes,
        long timeTicks,
        ReadOnlySpan<byte> hash,
        ReadOnlySpan<byte> metadataHash
    )
    {
        Path = path;
        Kind = kind.ToPublic();
        SizeBytes = kind.IsFile() ? sizeBytes : 0;
        LastModified = timeTicks == 0 ? null : new DateTimeOffset(timeTicks, TimeSpan.Zero);
        Hash = hash;
        MetadataHash = metadataHash;
    }

    /// <summary>The full original path in UTF-8.</summary>
    public ReadOnlySpan<byte> Path { get; }

    /// <summary>What it is.</summary>
    public BackupEntryKind Kind { get; }

    /// <summary>Length of a file's content; 0 for the others.</summary>
    public long SizeBytes { get; }

    /// <summary>
    /// The time of a file, in UTC and whole seconds; null if the list has no time.
    /// </summary>
    public DateTimeOffset? LastModified { get; }

    /// <summary>As <see cref="BackupEntry.Hash"/>, but the bytes themselves.</summary>
    public ReadOnlySpan<byte> Hash { get; }

    /// <summary>
    /// The hash of its metadata (exact times, mode, owner, attributes), which shows whether they
    /// are the same; empty if it has none.
    /// </summary>
    public ReadOnlySpan<byte> MetadataHash { get; }
}
