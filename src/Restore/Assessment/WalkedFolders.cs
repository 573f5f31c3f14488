namespace Restore.Assessment;

/// <summary>
/// Whether files changed one beside the other while others of their kind, elsewhere, did not: what
/// walks through folders takes each file that it finds, and a program that edits a kind of files
/// leaves some between them, or does so everywhere.
/// </summary>
internal sealed class WalkedFolders(FileTable table, MadeFiles made)
{
    private const int LeastHits = 15;

    // Between the first and the last file of a folder nearly each has changed.
    private const double Nearly = 0.97;

    // With fewer elsewhere it is all of the kind.
    private const double LeastElsewhere = 0.1;

    /// <param name="hits">The rows with the sign.</param>
    public bool Are(IReadOnlySet<int> hits)
    {
        if (hits.Count < LeastHits)
        {
            return false;
        }

        HashSet<int> types = [.. hits.Select(row => table[row].Type)];
        HashSet<int> changed = [.. table.Changed.Select(one => one.Row)];
        Dictionary<int, List<int>> folders = [];
        for (int row = 0; row < table.Count; row++)
        {
            if (IsOfPeople(row) || hits.Contains(row))
            {
                (CollectionsMarshal.GetValueRefOrAddDefault(folders, table.FolderOf(row), out _) ??= []).Add(row);
            }
        }

        (int inside, int touched, int ofKind, int elsewhere) = (0, 0, 0, 0);
        foreach (List<int> files in folders.Values)
        {
            files.Sort((left, right) => table.NameOf(left).SequenceCompareTo(table.NameOf(right)));
            int from = files.FindIndex(hits.Contains);
            int to = files.FindLastIndex(hits.Contains);
            for (int i = 0; i < files.Count; i++)
            {
                bool isInside = from >= 0 && i >= from && i <= to;
                bool isOfKind = types.Contains(table[files[i]].Type);
                ofKind += isOfKind ? 1 : 0;
                elsewhere += isOfKind && !isInside ? 1 : 0;
                inside += isInside ? 1 : 0;
                touched += isInside && changed.Contains(files[i]) ? 1 : 0;
            }
        }

        return touched >= Nearly * inside && elsewhere >= LeastElsewhere * ofKind;
    }

    // What is edited often counts too: a kind that was edited twice would be a kind without files.
    private bool IsOfPeople(int row) => table.IsOfBoth(row) && !table[row].IsLink && !made.Is(row);
}
