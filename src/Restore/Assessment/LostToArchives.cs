namespace Restore.Assessment;

/// <summary>
/// Whether files are gone because somebody packed them: an archive is new that may have them, under
/// a name that a person gives. Malware that locks files in archives with a password leaves them
/// where the files were, under names that say nothing.
/// </summary>
internal sealed class LostToArchives(FileTable table, MadeFiles made)
{
    private const double LeastRatio = 0.1;
    private const double MostRatio = 1.5;

    // Of several folders all is packed; of one, people take a part as well.
    private const double MostLeft = 0.4;
    private const int LeastWord = 3;
    private const int MostNames = 500;

    private static readonly string[] OfPeople =
    [
        "arch",
        "old",
        "alt",
        "backup",
        "bak",
        "files",
        "doc",
        "dok",
        "photo",
        "foto",
        "pic",
        "bild",
        "misc",
        "all",
        "export",
        "data",
        "daten",
        "zip",
        "pack",
        "copy",
        "kopie",
        "save",
        "store",
        "year",
        "jahr",
    ];

    /// <summary>Each archive may have what is gone of one folder, with all below it.</summary>
    /// <param name="files">The files that are gone, as far as they say something.</param>
    /// <param name="all">All that is gone: some of it may be in the archive too.</param>
    public HashSet<int> Among(List<int> files, List<int> all, List<int> gained)
    {
        int[] added = [.. gained.Where(IsOfFiles)];
        if (added.Length == 0 || files.Count == 0)
        {
            return [];
        }

        ILookup<int, int> lostOf = all.ToLookup(table.FolderOf);
        int[] ofPeople = [.. added.Where(archive => !IsLocked(archive, [.. lostOf[table.FolderOf(archive)]]))];
        if (ofPeople.Length * 2 < added.Length)
        {
            return [];
        }

        Dictionary<string, (List<int> Files, double Bytes)> trees = TreesOf(files);
        Dictionary<string, (List<int> Files, double Bytes)> more = TreesOf(all);
        Dictionary<string, int> left = LeftOf(trees.Keys);
        (List<int> Files, double Least, double Most)[] packable =
        [
            .. trees
                .Where(tree =>
                    left.GetValueOrDefault(tree.Key) <= MostLeft * more[tree.Key].Files.Count
                    || tree.Value.Files.TrueForAll(row => table.FolderOf(row) == table.FolderOf(tree.Value.Files[0]))
                )
                .OrderByDescending(tree => tree.Value.Files.Count)
                .Select(tree => (tree.Value.Files, tree.Value.Bytes * LeastRatio, more[tree.Key].Bytes * MostRatio)),
        ];
        HashSet<int> packed = [];
        foreach (int archive in ofPeople)
        {
            double bytes = table[archive].SizeBytes;
            packed.UnionWith(Array.Find(packable, tree => bytes >= tree.Least && bytes <= tree.Most).Files ?? []);
        }

        return packed;
    }

    /// <summary>What compresses one file, such as a log, packs no others.</summary>
    private bool IsOfFiles(int row)
    {
        ReadOnlySpan<byte> name = table.NameOf(row);
        string type = Encoding.UTF8.GetString(FileTable.ExtensionOf(name)).ToLowerInvariant();
        return made.GroupOf(table[row].Type) == TypeGroup.Archive
            && (
                type is not ("gz" or "bz2" or "xz" or "zst")
                || FileTable.ExtensionOf(NameKeys.StemOf(name)).SequenceEqual("tar"u8)
            );
    }

    /// <summary>How many files are left in each folder, with all below it.</summary>
    private Dictionary<string, int> LeftOf(IEnumerable<string> folders)
    {
        Dictionary<string, int> left = folders.ToDictionary(name => name, _ => 0, StringComparer.Ordinal);
        Dictionary<int, int> files = [];
        for (int row = 0; row < table.Count; row++)
        {
            if (table.IsOfBoth(row))
            {
                CollectionsMarshal.GetValueRefOrAddDefault(files, table.FolderOf(row), out _)++;
            }
        }

        foreach ((int folder, int count) in files)
        {
            foreach (string name in RebuiltFolders.Above(table.FolderPath(folder)).Where(left.ContainsKey))
            {
                left[name] += count;
            }
        }

        return left;
    }

    /// <summary>What is gone of each folder, with all below it.</summary>
    private Dictionary<string, (List<int> Files, double Bytes)> TreesOf(List<int> files)
    {
        Dictionary<string, (List<int> Files, double Bytes)> trees = new(StringComparer.Ordinal);
        foreach (IGrouping<int, int> folder in files.GroupBy(table.FolderOf))
        {
            double bytes = folder.Sum(row => (double)table[row].SizeBytes);
            foreach (string name in RebuiltFolders.Above(table.FolderPath(folder.Key)))
            {
                (List<int> Files, double Bytes) tree = trees.GetValueOrDefault(name, ([], 0));
                tree.Files.AddRange(folder);
                trees[name] = (tree.Files, tree.Bytes + bytes);
            }
        }

        return trees;
    }

    /// <summary>
    /// Whether an archive took the place of files of its folder, and is not named after anything.
    /// </summary>
    private bool IsLocked(int archive, int[] lost)
    {
        int folder = table.FolderOf(archive);
        if (lost.Length == 0)
        {
            return false;
        }

        string name = Encoding.UTF8.GetString(NameKeys.StemOf(table.NameOf(archive)));
        string[] words = [.. WordsOf(name).Where(word => word.Length >= LeastWord)];
        string near = string.Join(
            ' ',
            lost.Take(MostNames)
                .Select(row => Encoding.UTF8.GetString(table.NameOf(row)))
                .Prepend(Encoding.UTF8.GetString(table.FolderPath(folder)))
        );
        return words.All(word =>
            !near.Contains(word, StringComparison.OrdinalIgnoreCase)
            && !IsDate(word)
            && !Array.Exists(OfPeople, known => word.StartsWith(known, StringComparison.OrdinalIgnoreCase))
        );
    }

    private static bool IsDate(string word) =>
        word.Length >= 4
        && word.All(char.IsAsciiDigit)
        && (word.StartsWith("19", StringComparison.Ordinal) || word.StartsWith("20", StringComparison.Ordinal));

    private static IEnumerable<string> WordsOf(string name) =>
        name.Split([' ', '-', '_', '.', '(', ')', ',', '+', '~'], StringSplitOptions.RemoveEmptyEntries);
}
