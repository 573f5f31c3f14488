namespace Restore.Format;

internal static class EntryKinds
{
    /// <summary>Whether the entry has content: a file, or an alternate stream of one.</summary>
    public static bool IsFile(this EntryKind kind) => kind is EntryKind.File or EntryKind.AlternateStream;
}
