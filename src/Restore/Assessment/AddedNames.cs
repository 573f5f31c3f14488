namespace Restore.Assessment;

/// <summary>
/// Looks at the names of new files: copies that a conflict of synchronization leaves, and one note
/// in many folders.
/// </summary>
internal sealed class AddedNames(FileTable table, Transition transition)
{
    private const int LeastFolders = 3;
    private const long MostNoteBytes = 1 << 20;

    private static readonly string[] ConflictWords =
    [
        "conflict",
        "konflikt",
        "conflit",
        "conflitto",
        "conflicto",
        "conflito",
        "- copy",
        "- kopie",
        "- copie",
        "- copia",
        " (1)",
        "(copy)",
    ];

    private readonly Dictionary<(string Name, long Size), HashSet<int>> folders = [];

    public void Read(Dictionary<int, Signs> signs)
    {
        foreach (int row in table.Added)
        {
            if (table[row].IsLink)
            {
                continue;
            }

            string name = Encoding.UTF8.GetString(table.NameOf(row));
            if (IsConflict(row, name))
            {
                signs[row] = signs.GetValueOrDefault(row) | Signs.ConflictCopy;
                transition[Signs.ConflictCopy]++;
            }

            if (
                table[row].SizeBytes is > 0 and < MostNoteBytes
                && FileTypes.IsNote(FileTable.ExtensionOf(table.NameOf(row)))
            )
            {
                (CollectionsMarshal.GetValueRefOrAddDefault(folders, (name, table[row].SizeBytes), out _) ??= []).Add(
                    table.FolderOf(row)
                );
            }
        }

        MarkNotes(signs);
    }

    private void MarkNotes(Dictionary<int, Signs> signs)
    {
        if (
            folders.Count == 0
            || folders.MaxBy(entry => entry.Value.Count) is not { Value.Count: >= LeastFolders } note
        )
        {
            return;
        }

        transition[Signs.Note] = note.Value.Count;
        transition.Details[Signs.Note] = note.Key.Name;
        foreach (int row in table.Added)
        {
            if (
                table[row].SizeBytes == note.Key.Size
                && Encoding.UTF8.GetBytes(note.Key.Name).AsSpan().SequenceEqual(table.NameOf(row))
            )
            {
                signs[row] = signs.GetValueOrDefault(row) | Signs.Note;
            }
        }
    }

    /// <summary>
    /// Whether a name says so, or is a known name with the name of a machine behind it.
    /// </summary>
    private bool IsConflict(int row, string name)
    {
        foreach (string word in ConflictWords)
        {
            if (name.Contains(word, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }
        }

        int dot = name.LastIndexOf('.');
        string stem = dot > 0 ? name[..dot] : name;
        int dash = stem.IndexOf('-', StringComparison.Ordinal);
        for (; dash > 0; dash = stem.IndexOf('-', dash + 1))
        {
            string machine = stem[(dash + 1)..];
            if (
                machine.Length >= 4
                && machine.Any(char.IsAsciiLetterUpper)
                && !machine.Any(char.IsAsciiLetterLower)
                && table.TryFind(
                    [
                        .. table.FolderPath(table.FolderOf(row)),
                        .. Encoding.UTF8.GetBytes(stem[..dash] + name[stem.Length..]),
                    ],
                    out _
                )
            )
            {
                return true;
            }
        }

        return false;
    }
}
