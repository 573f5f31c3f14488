using System.Text;
using Restore.Format;

namespace Restore.Catalog;

/// <summary>Passes the selected entries of a file list on as they are read.</summary>
internal sealed class PassedEntries(EntryFilter filter, Action<EntryInList> receive, IssueLog issues) : IFileListSink
{
    private char[] scratch = new char[256];

    public void Entry(in FileListEntry entry)
    {
        if (filter.IsAll || filter.Matches(entry.Path, ref scratch))
        {
            try
            {
                receive(new EntryInList(entry.Path, entry.Kind, entry.SizeBytes, entry.TimeTicks, ListedEntries.HashOf(entry), entry.MetaHash));
            }
            catch (Exception failure)
            {
                throw new ReceiverException(failure);
            }
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
