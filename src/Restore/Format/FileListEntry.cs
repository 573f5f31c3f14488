namespace Restore.Format;

/// <summary>What an entry of a file list is.</summary>
internal enum EntryKind : byte
{
    File,
    Folder,
    Symlink,
    AlternateStream,
}

internal static class EntryKinds
{
    /// <summary>Whether it has content: a file, or a stream of one.</summary>
    public static bool IsFile(this EntryKind kind) => kind is EntryKind.File or EntryKind.AlternateStream;
}

/// <summary>
/// One entry of a file list as the list gives it; the spans are valid during <see cref="IFileListSink.Entry"/> only.
/// Hashes are raw bytes (base64 decoded), an absent one is empty.
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

    /// <summary>Why the metadata cannot be used, as a sentence; null when it can, or there is none.</summary>
    public string? MetaProblem { get; init; }

    /// <summary>File hash of the metadata blob; empty when there is none that can be used.</summary>
    public ReadOnlySpan<byte> MetaHash { get; init; }

    public long MetaSizeBytes { get; init; }

    /// <summary>Block hash of the metadata blob when it differs from <see cref="MetaHash"/>, else empty.</summary>
    public ReadOnlySpan<byte> MetaBlockHash { get; init; }

    /// <summary>The metadata's blocklist hashes one after the other; empty when the blob is one block.</summary>
    public ReadOnlySpan<byte> MetaBlocklistHashes { get; init; }

    /// <summary>Block hash of the only block when it differs from <see cref="Hash"/>, else empty.</summary>
    public ReadOnlySpan<byte> BlockHash { get; init; }

    /// <summary>The content's blocklist hashes one after the other; empty when it is at most one block.</summary>
    public ReadOnlySpan<byte> BlocklistHashes { get; init; }
}

/// <summary>Takes the entries of a file list in the order of the list.</summary>
internal interface IFileListSink
{
    /// <summary>Takes one entry.</summary>
    void Entry(in FileListEntry entry);

    /// <summary>
    /// Takes an entry that cannot be used (bad size, bad hash, unknown type): it is reported, the rest of the list stays good. The path may be no real
    /// one ("entry 7") where the list gives none; the reason is a sentence.
    /// </summary>
    void Unusable(string path, string reason);
}
