namespace Restore.Assessment;

/// <summary>
/// Joins versions to one content: each file from the newest version in which it is not suspect. A
/// file that was removed in normal life is not in it.
/// </summary>
internal sealed class LastGoodContent(AssessedHistory history, EntryObserver observe, Action<RestoreIssue> report)
{
    private const string OnlySuspect = "Only suspect versions have the file: it was left out";
    private const string OnlySuspectBeside =
        "Only suspect versions have the file: it was taken with .suspect at the end of its name";

    private readonly bool[] isTaken = new bool[history.Table.Count];

    // The assessment knows all files, whatever is selected: the others are neither needed nor
    // missing.
    private readonly bool[] isSelected = new bool[history.Table.Count];
    private readonly HashSet<string> folders = new(StringComparer.Ordinal);
    private VersionContent? joined;
    private byte[] path = [];

    /// <summary>
    /// Whether files that only suspect versions have are taken too, under a marked name.
    /// </summary>
    public bool TakesSuspect { get; init; }

    private int Newest => history.Versions.Count - 1;

    /// <exception cref="RestoreException">No version can be read.</exception>
    public async Task<VersionContent> ReadAsync(
        ICatalog catalog,
        EntryFilter filter,
        CancellationToken cancellationToken
    )
    {
        char[] scratch = new char[256];
        for (int row = 0; row < isSelected.Length; row++)
        {
            isSelected[row] = filter.IsAll || filter.Matches(history.Table.PathOf(row), ref scratch);
        }

        for (int version = Newest; version >= 0; version--)
        {
            if (version == Newest || IsNeeded(version))
            {
                VersionContent content = await catalog
                    .ReadAsync(history.Versions[version], filter, observer: null, cancellationToken)
                    .ConfigureAwait(false);
                Join(content, version);
            }
        }

        ReportLeftOut();
        return joined!;
    }

    private bool IsNeeded(int version)
    {
        for (int row = 0; row < isTaken.Length; row++)
        {
            if (isSelected[row] && !isTaken[row] && IsWanted(row, version))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>
    /// Whether a version has the last good content of a file that is to be restored.
    /// </summary>
    private bool IsWanted(int row, int version)
    {
        FileStates states = history.States;
        return states.IsSuspect(row)
            ? states.GoodTo(row) >= version && states.GoodSince(row) <= version && states.GoodSince(row) >= 0
            : states.IsPresent(row) && states.GoodSince(row) <= version;
    }

    private bool IsLeftOut(int row) =>
        history.States.IsSuspect(row) && history.States.GoodTo(row) < 0 && history.States.IsPresent(row);

    private void Join(VersionContent content, int version)
    {
        joined ??= new VersionContent(content.Version, content.Layout);
        if (content.Layout != joined.Layout)
        {
            const string Reason =
                "The version was left out: it has another block size or other hash algorithms than the newest";
            report(
                new RestoreIssue(IssueKind.Refused, content.Version.FileListName, Reason)
                {
                    Versions = VersionRange.Of(content.Version),
                }
            );
            return;
        }

        joined.Issues.AddRange(
            content.Issues.Select(issue => issue with { Versions = VersionRange.Of(content.Version) })
        );
        HashSet<string> wantedFolders = new(StringComparer.Ordinal);
        foreach (EntryId entry in EntryId.UpTo(content.Entries.Count))
        {
            if (content.Entries[entry].Kind != EntryKind.Folder)
            {
                JoinFile(content, entry, version, wantedFolders);
            }
        }

        foreach (EntryId entry in EntryId.UpTo(content.Entries.Count))
        {
            if (content.Entries[entry].Kind == EntryKind.Folder)
            {
                string folder = content.PathText(entry);
                bool isWanted = (version == Newest || wantedFolders.Contains(folder)) && folders.Add(folder);
                Take(content, entry, isWanted, suffix: []);
            }
        }
    }

    private void JoinFile(VersionContent content, EntryId entry, int version, HashSet<string> wantedFolders)
    {
        ReadOnlySpan<byte> name = content.PathOf(entry, ref path);
        if (!history.Table.TryFind(name, out int row) || isTaken[row])
        {
            return;
        }

        bool isMarked = TakesSuspect && version == Newest && IsLeftOut(row);
        bool isWanted = isMarked || IsWanted(row, version);
        Take(content, entry, isWanted, isMarked ? ".suspect"u8 : []);
        if (isWanted)
        {
            isTaken[row] = true;
            for (
                ReadOnlySpan<byte> above = name[..VersionContent.FolderLength(name)];
                version < Newest && above.Length > 0;

            )
            {
                if (!wantedFolders.Add(Encoding.UTF8.GetString(above)))
                {
                    break;
                }

                above = above[..VersionContent.FolderLength(above)];
            }
        }
    }

    private void Take(VersionContent content, EntryId entry, bool isWanted, ReadOnlySpan<byte> suffix)
    {
        ReadOnlySpan<byte> name = content.PathOf(entry, ref path);
        EntryRow row = content.Entries[entry];
        byte[] marked = [.. name, .. suffix];
        observe(marked, row.Kind, isWanted);
        if (isWanted)
        {
            joined!.AddEntry(marked, row.Kind, Copy(content, row.Content), Copy(content, row.Metadata), row.TimeTicks);
            joined.Spans.Add(VersionRange.Of(content.Version));
        }
    }

    private ContentId Copy(VersionContent content, ContentId id) => id.IsNone ? id : joined!.AddCopy(content, id);

    private void ReportLeftOut()
    {
        for (int row = 0; row < isTaken.Length; row++)
        {
            if (!isSelected[row])
            {
                continue;
            }

            if (IsLeftOut(row))
            {
                report(
                    new RestoreIssue(
                        IssueKind.Warning,
                        history.Table.PathText(row),
                        isTaken[row] ? OnlySuspectBeside : OnlySuspect
                    )
                );
            }
            else if (!isTaken[row] && IsWanted(row, Math.Max(0, history.States.GoodSince(row))))
            {
                report(
                    new RestoreIssue(
                        IssueKind.Missing,
                        history.Table.PathText(row),
                        "No file list that can be read has its last good content"
                    )
                );
            }
        }
    }
}
