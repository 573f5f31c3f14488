namespace Restore.Format;

internal static class FileListNames
{
    public static FileListProperty Property(ReadOnlySpan<byte> name) =>
        name.Length switch
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

    public static ReadOnlySpan<byte> OfKind(EntryKind kind) =>
        kind switch
        {
            EntryKind.File => "File"u8,
            EntryKind.Folder => "Folder"u8,
            EntryKind.Symlink => "Symlink"u8,
            _ => "AlternateStream"u8,
        };
}
