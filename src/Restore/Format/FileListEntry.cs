namespace Restore.Format;

/// <summary>
/// One entry of a file list as the list gives it; the spans are valid during
/// <see cref="IFileListSink.Entry"/> only. Hashes are raw bytes (decoded base64); an absent hash is
/// empty.
/// </summary>
internal readonly ref struct FileListEntry
{
    public required EntryKind Kind { get; init; }

    /// <summary>Full original path, UTF-8, unescaped.</summary>
    public required ReadOnlySpan<byte> Path { get; init; }

    /// <summary>File hash of the content; files only.</summary>
    public ReadOnlySpan<byte> Hash { get; init; }

    /// <summary>Length of the content in bytes; 0 for folders and links. Never negative.</summary>
    public long SizeBytes { get; init; }

    /// <summary>Last-modified time as the list has it (whole seconds, UTC ticks), or 0.</summary>
    public long TimeTicks { get; init; }

    /// <summary>Why the metadata cannot be used; null if it can, or the entry has none.</summary>
    public string? MetaProblem { get; init; }

    /// <summary>
    /// File hash of the metadata blob; empty if the entry has no usable metadata.
    /// </summary>
    public ReadOnlySpan<byte> MetaHash { get; init; }

    public long MetaSizeBytes { get; init; }

    /// <summary>
    /// Block hash of the metadata blob when it differs from <see cref="MetaHash"/>, else empty.
    /// </summary>
    public ReadOnlySpan<byte> MetaBlockHash { get; init; }

    /// <summary>
    /// The concatenated blocklist hashes of the metadata; empty if the blob is one block.
    /// </summary>
    public ReadOnlySpan<byte> MetaBlocklistHashes { get; init; }

    /// <summary>
    /// Block hash of the only block when it differs from <see cref="Hash"/>, else empty.
    /// </summary>
    public ReadOnlySpan<byte> BlockHash { get; init; }

    /// <summary>
    /// The concatenated blocklist hashes of the content; empty if the content is at most one block.
    /// </summary>
    public ReadOnlySpan<byte> BlocklistHashes { get; init; }
}
