namespace Restore.Catalog;

/// <summary>Passes the selected entries of a file list on as they are read.</summary>
internal sealed class SelectedEntries(EntryFilter filter, Action<EntryInList> receive, IssueLog issues) : IFileListSink
{
    private char[] scratch = new char[256];

    public void Entry(in FileListEntry entry)
    {
        if (filter.IsAll || filter.Matches(entry.Path, ref scratch))
        {
            // A link has no content: the hash of its metadata stands for its target, which is in
            // the metadata.
            ReadOnlySpan<byte> hash =
                entry.Kind.IsFile() ? entry.Hash
                : entry.Kind == EntryKind.Symlink ? entry.MetaHash
                : [];
            receive(new EntryInList(entry.Path, entry.Kind, entry.SizeBytes, entry.TimeTicks, hash, entry.MetaHash));
        }
    }

    public void Unusable(string path, string reason)
    {
        if (filter.IsAll || filter.Matches(Encoding.UTF8.GetBytes(path), ref scratch))
        {
            issues.Add(new RestoreIssue(IssueKind.Refused, path, reason));
        }
    }
}
