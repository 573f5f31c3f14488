namespace Restore.Assessment;

/// <summary>
/// Whether the same new file is in the folders in which files were changed or lost, and hardly
/// anywhere else: malware leaves its note where it was, while a license or a template goes where
/// nothing else happens.
/// </summary>
internal sealed class NoteFolders(FileTable table, MadeFiles made)
{
    private const int Least = 3;
    private const double Nearly = 0.95;

    // Something happens somewhere each day.
    private const double LeastByChance = 0.1;
    private const double MostProbability = 0.005;

    /// <param name="lost">The files that are gone.</param>
    public bool FollowHarm(IReadOnlyCollection<int> noted, IEnumerable<int> lost, int[] filesOfFolders)
    {
        if (noted.Count < Least)
        {
            return false;
        }

        HashSet<int> hit = [.. lost.Where(row => !made.Is(row)).Select(table.FolderOf)];
        hit.UnionWith(table.Changed.Where(IsHarm).Select(changed => table.FolderOf(changed.Row)));
        HashSet<int> notes = [.. noted];
        int known = notes.Count(folder => folder < filesOfFolders.Length && filesOfFolders[folder] > 0);
        int hitNotes = notes.Count(hit.Contains);
        if (known < Least || hitNotes < Nearly * notes.Count)
        {
            return false;
        }

        int others = filesOfFolders.Count(files => files > 0) - known;
        double share = others <= 0 ? 0 : (double)(hit.Count - hitNotes) / others;
        return Math.Pow(Math.Max(share, LeastByChance), hitNotes) <= MostProbability;
    }

    /// <summary>A program that adds a license edits the sources beside it as well.</summary>
    private bool IsHarm(ChangedFile changed) =>
        !changed.IsReturned
        && changed.WasCold
        && !made.Is(changed.Row)
        && made.GroupOf(table[changed.Row].Type) != TypeGroup.Text;
}
