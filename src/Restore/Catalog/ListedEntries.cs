using System.Text;
using Restore.Format;

namespace Restore.Catalog;

/// <summary>Collects the selected entries of a file list in their public form.</summary>
internal sealed class ListedEntries(EntryFilter filter, IssueLog issues) : IFileListSink
{
    private List<BackupEntry> entries = [];
    private char[] scratch = new char[256];

    /// <summary>The hash that is shown of an entry.</summary>
    public static ReadOnlySpan<byte> HashOf(in FileListEntry entry) => entry.Kind.IsFile() ? entry.Hash : entry.Kind == EntryKind.Symlink ? entry.MetaHash : [];

    public void Entry(in FileListEntry entry)
    {
        if (filter.IsAll || filter.Matches(entry.Path, ref scratch))
        {
            long sizeBytes = entry.Kind.IsFile() ? entry.SizeBytes : 0;
            entries.Add(BackupEntry.Of(Encoding.UTF8.GetString(entry.Path), entry.Kind, sizeBytes, entry.TimeTicks, HashOf(entry)));
        }
    }

    public void Unusable(string path, string reason)
    {
        if (filter.IsAll || filter.Matches(Encoding.UTF8.GetBytes(path), ref scratch))
        {
            issues.Add(new RestoreIssue(IssueKind.Refused, path, reason));
        }
    }

    /// <summary>The entries since the last call.</summary>
    public List<BackupEntry> Take()
    {
        List<BackupEntry> taken = entries;
        entries = [];
        return taken;
    }
}
