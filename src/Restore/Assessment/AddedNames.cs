namespace Restore.Assessment;

/// <summary>
/// Looks at the names of new files: copies that a conflict of synchronization leaves, and one note
/// in many folders.
/// </summary>
internal sealed class AddedNames(FileTable table, MadeFiles made, Transition transition)
{
    private const int LeastFolders = 3;
    private const long MostNoteBytes = 1 << 20;

    private readonly ConflictNames conflicts = new(table);
    private readonly Dictionary<(string Name, ulong Content), HashSet<int>> folders = [];

    /// <summary>The folders that got the same new small file.</summary>
    public IReadOnlyCollection<int> NoteFolders { get; private set; } = [];

    public void Read(Dictionary<int, Signs> signs)
    {
        foreach (int row in table.Added)
        {
            if (table[row].IsLink || table.IsReturned(row))
            {
                continue;
            }

            string name = Encoding.UTF8.GetString(table.NameOf(row));
            if (conflicts.Is(row, name))
            {
                signs[row] = signs.GetValueOrDefault(row) | Signs.ConflictCopy;
                transition[Signs.ConflictCopy]++;
            }

            if (
                table[row].SizeBytes is > 0 and < MostNoteBytes
                && !made.Is(row)
                && FileTypes.IsNote(FileTable.ExtensionOf(table.NameOf(row)))
            )
            {
                (CollectionsMarshal.GetValueRefOrAddDefault(folders, (name, table[row].Content), out _) ??= []).Add(
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

        NoteFolders = note.Value;
        transition[Signs.Note] = note.Value.Count;
        transition.Details[Signs.Note] = note.Key.Name;
        foreach (int row in table.Added)
        {
            if (
                table[row].Content == note.Key.Content
                && Encoding.UTF8.GetBytes(note.Key.Name).AsSpan().SequenceEqual(table.NameOf(row))
            )
            {
                signs[row] = signs.GetValueOrDefault(row) | Signs.Note;
            }
        }
    }
}
