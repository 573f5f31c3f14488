namespace Restore.Format;

internal enum EntryKind : byte
{
    File,
    Folder,
    Symlink,
    AlternateStream,
}
