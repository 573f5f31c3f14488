namespace Restore.Format;

internal static class EntryKinds
{
    /// <summary>Whether the entry has content: a file, or an alternate stream of one.</summary>
    public static bool IsFile(this EntryKind kind) => kind is EntryKind.File or EntryKind.AlternateStream;

    /// <summary>The kind as users see it: an alternate stream is a file.</summary>
    public static BackupEntryKind ToPublic(this EntryKind kind) =>
        kind switch
        {
            EntryKind.Folder => BackupEntryKind.Folder,
            EntryKind.Symlink => BackupEntryKind.Symlink,
            _ => BackupEntryKind.File,
        };
}
