using Restore.Format;

namespace Restore.Catalog;

/// <summary>Passes the entries of a file list on as they are read.</summary>
internal sealed class PassedEntries(Action<EntryInList> receive, IssueLog issues) : IFileListSink
{
    public void Entry(in FileListEntry entry) =>
        receive(new EntryInList(entry.Path, entry.Kind, entry.SizeBytes, entry.TimeTicks, ListedEntries.HashOf(entry)));

    public void Unusable(string path, string reason) => issues.Add(new RestoreIssue(IssueKind.Refused, path, reason));
}
