namespace Restore.Format;

internal enum EntryKind : byte
{
    File,
    Folder,
    Symlink,
    AlternateStream,
}

internal static class EntryKinds
{
    /// <summary>Whether the entry has content: a file, or an alternate stream of one.</summary>
    public static bool IsFile(this EntryKind kind) => kind is EntryKind.File or EntryKind.AlternateStream;
}

/// <summary>One entry of a file list as the list gives it; the spans are valid during <see cref="IFileListSink.Entry"/> only. Hashes are raw bytes (decoded
/// base64); an absent hash is empty.</summary>
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

    /// <summary>File hash of the metadata blob; empty if the entry has no usable metadata.</summary>
    public ReadOnlySpan<byte> MetaHash { get; init; }

    public long MetaSizeBytes { get; init; }

    /// <summary>Block hash of the metadata blob when it differs from <see cref="MetaHash"/>, else empty.</summary>
    public ReadOnlySpan<byte> MetaBlockHash { get; init; }

    /// <summary>The concatenated blocklist hashes of the metadata; empty if the blob is one block.</summary>
    public ReadOnlySpan<byte> MetaBlocklistHashes { get; init; }

    /// <summary>Block hash of the only block when it differs from <see cref="Hash"/>, else empty.</summary>
    public ReadOnlySpan<byte> BlockHash { get; init; }

    /// <summary>The concatenated blocklist hashes of the content; empty if the content is at most one block.</summary>
    public ReadOnlySpan<byte> BlocklistHashes { get; init; }
}

/// <summary>Receives the entries of a file list in the order of the list.</summary>
internal interface IFileListSink
{
    void Entry(in FileListEntry entry);

    /// <summary>Receives an entry that cannot be used It is reported, and the rest of the list stays usable. If the list has no path, the path is a number
    /// ("entry 7").</summary>
    void Unusable(string path, string reason);
}

/// <summary>The properties an entry of a file list can have; a set of them when combined.</summary>
[Flags]
internal enum FileListProperty : ushort
{
    /// <summary>None, or an unknown property that is skipped.</summary>
    None = 0,
    Type = 1 << 0,
    Path = 1 << 1,
    Hash = 1 << 2,
    Size = 1 << 3,
    Time = 1 << 4,
    MetaHash = 1 << 5,
    MetaSize = 1 << 6,
    MetaBlocklists = 1 << 7,
    MetaBlockHash = 1 << 8,
    Blocklists = 1 << 9,
    BlockHash = 1 << 10,
    BlockSize = 1 << 11,
}

internal static class FileListNames
{
    public static FileListProperty Property(ReadOnlySpan<byte> name) => name.Length switch
    {
        4 when name.SequenceEqual("type"u8) => FileListProperty.Type,
        4 when name.SequenceEqual("path"u8) => FileListProperty.Path,
        4 when name.SequenceEqual("hash"u8) => FileListProperty.Hash,
        4 when name.SequenceEqual("size"u8) => FileListProperty.Size,
        4 when name.SequenceEqual("time"u8) => FileListProperty.Time,
        8 when name.SequenceEqual("metahash"u8) => FileListProperty.MetaHash,
        8 when name.SequenceEqual("metasize"u8) => FileListProperty.MetaSize,
        13 when name.SequenceEqual("metablockhash"u8) => FileListProperty.MetaBlockHash,
        14 when name.SequenceEqual("metablocklists"u8) => FileListProperty.MetaBlocklists,
        10 when name.SequenceEqual("blocklists"u8) => FileListProperty.Blocklists,
        9 when name.SequenceEqual("blockhash"u8) => FileListProperty.BlockHash,
        9 when name.SequenceEqual("blocksize"u8) => FileListProperty.BlockSize,
        _ => FileListProperty.None,
    };

    /// <summary>The kind of a name, in any case, as in Duplicati.</summary>
    public static EntryKind? Kind(ReadOnlySpan<byte> name)
    {
        if (Ascii.EqualsIgnoreCase(name, "File"u8))
        {
            return EntryKind.File;
        }

        if (Ascii.EqualsIgnoreCase(name, "Folder"u8))
        {
            return EntryKind.Folder;
        }

        if (Ascii.EqualsIgnoreCase(name, "Symlink"u8))
        {
            return EntryKind.Symlink;
        }

        return Ascii.EqualsIgnoreCase(name, "AlternateStream"u8) ? EntryKind.AlternateStream : null;
    }

    public static ReadOnlySpan<byte> OfKind(EntryKind kind) => kind switch
    {
        EntryKind.File => "File"u8,
        EntryKind.Folder => "Folder"u8,
        EntryKind.Symlink => "Symlink"u8,
        _ => "AlternateStream"u8,
    };
}
