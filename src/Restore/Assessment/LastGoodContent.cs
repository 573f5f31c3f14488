namespace Restore.Assessment;

/// <summary>
/// Joins versions to one content: each file from the newest version in which it is not suspect. A
/// file that was removed in normal life is not in it.
/// </summary>
internal sealed class LastGoodContent(AssessedHistory history, EntryObserver observe, Action<RestoreIssue> report)
{
    private static ReadOnlySpan<byte> Mark => ".suspect"u8;

    private const string OnlySuspect = "Only suspect versions have the file: it was left out";
    private const string OnlySuspectBeside =
        "Only suspect versions have the file: it was taken with .suspect at the end of its name";

    // The version that each file was taken from; -1 for none so far.
    private readonly int[] takenFrom = Filled(history.Table.Count);

    // The assessment knows all files, whatever is selected: the others are neither needed nor
    // missing.
    private readonly bool[] isSelected = new bool[history.Table.Count];
    private readonly Dictionary<string, int> folders = new(StringComparer.Ordinal);
    private readonly HashSet<string> markedNames = new(StringComparer.Ordinal);
    private FoldersAbove? above;
    private VersionContent? joined;
    private byte[] path = [];
    private long unknown;

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
            if (filter.IsAll)
            {
                isSelected[row] = true;
                continue;
            }

            byte[] name = history.Table.PathOf(row);
            isSelected[row] = filter.Matches(name, ref scratch);
            if (!isSelected[row])
            {
                observe(name, EntryKind.File, isSelected: false);
            }
        }

        for (int version = Newest; version >= 0; version--)
        {
            if (version == Newest || IsNeeded(version))
            {
                VersionContent content = await catalog
                    .ReadAsync(history.Versions[version], filter, ObserveOther, cancellationToken)
                    .ConfigureAwait(false);
                Join(content, version);
            }
        }

        ReportLeftOut();
        VersionContent result = joined!;
        new FileListOrder(result).Sort();
        above?.AddToContent();
        return result;
    }

    /// <summary>
    /// Passes on what is not selected, which says whether a named folder is the whole backup.
    /// </summary>
    private void ObserveOther(ReadOnlySpan<byte> name, EntryKind kind, bool isSelected)
    {
        if (!isSelected)
        {
            observe(name, kind, isSelected: false);
        }
    }

    private bool IsNeeded(int version)
    {
        for (int row = 0; row < takenFrom.Length; row++)
        {
            if (isSelected[row] && takenFrom[row] < 0 && IsWanted(row, version))
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
        foreach (EntryId entry in EntryId.UpTo(content.SelectedCount))
        {
            if (content.Entries[entry].Kind != EntryKind.Folder)
            {
                JoinFile(content, entry, version, wantedFolders);
            }
        }

        foreach (EntryId entry in EntryId.UpTo(content.Entries.Count))
        {
            if (content.IsAbove(entry))
            {
                (above ??= new FoldersAbove(joined)).Note(content, entry);
            }
            else if (content.Entries[entry].Kind == EntryKind.Folder)
            {
                JoinFolder(content, entry, version, wantedFolders);
            }
        }
    }

    private void JoinFolder(VersionContent content, EntryId entry, int version, HashSet<string> wantedFolders)
    {
        string folder = content.PathText(entry);
        bool isWanted = version == Newest || wantedFolders.Contains(folder);

        // A second entry of one version for one path is taken too: a restore refuses it by name.
        isWanted = isWanted && (folders.TryAdd(folder, version) || folders[folder] == version);
        Take(content, entry, isWanted, suffix: []);
    }

    private void JoinFile(VersionContent content, EntryId entry, int version, HashSet<string> wantedFolders)
    {
        ReadOnlySpan<byte> name = content.PathOf(entry, ref path);
        bool isKnown = history.Table.TryFind(name, out int row);
        if (!isKnown && version != Newest)
        {
            unknown++;
            return;
        }

        if (isKnown && takenFrom[row] >= 0 && takenFrom[row] != version)
        {
            return;
        }

        // What was not assessed is as the newest version has it.
        bool isMarked = isKnown && TakesSuspect && version == Newest && IsLeftOut(row);
        bool isWanted = !isKnown || isMarked || IsWanted(row, version);
        Take(content, entry, isWanted, isMarked ? MarkOf(name) : []);
        if (isWanted && isKnown)
        {
            takenFrom[row] = version;
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
            joined!.AddEntry(
                marked,
                row.Kind,
                joined.AddCopy(content, row.Content),
                joined.AddCopy(content, row.Metadata),
                row.TimeTicks
            );
            joined.Spans.Add(VersionRange.Of(content.Version));
        }
    }

    /// <summary>
    /// The end of the name of a file that only suspect versions have. No file of the backup may have
    /// the marked name: one of the two could not be restored.
    /// </summary>
    private byte[] MarkOf(ReadOnlySpan<byte> name)
    {
        byte[] mark = [.. Mark];
        while (
            history.Table.TryFind([.. name, .. mark], out _)
            || !markedNames.Add(Encoding.Latin1.GetString([.. name, .. mark]))
        )
        {
            mark = [.. mark, .. Mark];
        }

        return mark;
    }

    private void ReportLeftOut()
    {
        for (int row = 0; row < takenFrom.Length; row++)
        {
            if (!isSelected[row])
            {
                continue;
            }

            bool isTaken = takenFrom[row] >= 0;
            if (IsLeftOut(row))
            {
                report(
                    new RestoreIssue(
                        IssueKind.Warning,
                        history.Table.PathText(row),
                        isTaken ? OnlySuspectBeside : OnlySuspect
                    )
                    {
                        Code = isTaken ? IssueCode.None : IssueCode.OnlySuspect,
                    }
                );
                if (!isTaken)
                {
                    joined!.LeftOut.Add(history.Table.PathOf(row));
                }
            }
            else if (!isTaken && IsWanted(row, Math.Max(0, history.States.GoodSince(row))))
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

        if (history.VersionsLeftOut > 0)
        {
            report(
                new RestoreIssue(
                    IssueKind.Warning,
                    history.Versions[0].FileListName,
                    $"The versions have more changes than an assessment can hold: of {history.VersionsLeftOut:N0} older ones nothing is taken"
                )
            );
        }

        if (history.Table.LeftOut > 0)
        {
            const string Reason =
                "The versions have more paths than an assessment can hold: the others are as in the newest version";
            report(
                new RestoreIssue(
                    unknown > 0 ? IssueKind.Refused : IssueKind.Warning,
                    history.Versions[Newest].FileListName,
                    unknown > 0 ? $"{Reason}, and what only older versions have of them is left out" : Reason
                )
            );
        }
    }

    private static int[] Filled(int length)
    {
        int[] filled = new int[length];
        Array.Fill(filled, -1);
        return filled;
    }
}
