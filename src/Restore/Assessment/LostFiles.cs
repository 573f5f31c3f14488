namespace Restore.Assessment;

/// <summary>
/// Files that the newer version lacks, and what is there instead: the same content under another
/// name (a move), a file of the same name elsewhere, another format, the next number of a log, an
/// archive; or the same file under the name that an attacker gave it; or nothing.
/// </summary>
internal sealed class LostFiles(FileTable table, MadeFiles made, Transition transition)
{
    // Malware appends an id, an address and an extension with dots between them.
    private const double NearlyAll = 0.8;

    // A deletion of so many files is looked at also if most of them are new.
    private const double ManyOfAll = 0.1;

    public const int MostSuffixes = 6;

    private readonly NameKeys keys = new();
    private readonly List<int> lost = [];
    private readonly List<int> gained = [];
    private readonly Dictionary<int, Signs> signs = [];

    /// <summary>The rows of all files and links that are gone.</summary>
    public List<int> Removed { get; } = [];

    public HashSet<int> MovedAway { get; } = [];

    public HashSet<int> MovedHere { get; } = [];

    /// <summary>Files that were replaced under other names, and what replaced them.</summary>
    public HashSet<int> Doubtful { get; } = [];

    public Signs SignsOf(int row) => signs.GetValueOrDefault(row);

    /// <param name="filesOfTypes">How many files of each type the older version has.</param>
    /// <param name="filesOfFolders">How many files of each folder it has.</param>
    public void Read(ReadOnlySpan<long> filesOfTypes, int[] filesOfFolders)
    {
        MatchContents();
        NewNames names = new(table, made, transition, keys);
        HashSet<int> replaced = names.Match(
            lost,
            [.. MovedAway.Where(row => !table[row].IsLink)],
            gained,
            filesOfTypes,
            signs
        );
        Doubtful.UnionWith(names.Doubtful());
        foreach (int row in lost)
        {
            signs[row] = signs.GetValueOrDefault(row) | Signs.AnyLoss;
            MarkCopied(row);
        }

        SizePairs pairs = new(table, transition);
        List<int> left = [.. lost.Where(row => !replaced.Contains(row))];
        pairs.Match(left, [.. gained.Where(row => !replaced.Contains(row))], filesOfTypes, signs);
        Doubtful.UnionWith(new SizeMatches(table).Among(left, gained, filesOfTypes));
        CountVanished(left, filesOfFolders);
    }

    /// <summary>Malware that made a copy of a file first, and removes the file now.</summary>
    private void MarkCopied(int row)
    {
        if (table.CopiedByAttack.TryGetValue(row, out int copy) && table.IsPresent(copy))
        {
            signs[row] |= Signs.NewExtension;
            transition[Signs.NewExtension]++;
            transition.Details[Signs.NewExtension] = NewNames.WithExtension(table.TypeName(table[copy].Type));
        }
    }

    /// <summary>
    /// A content that is under another name now was moved, and its file is not lost.
    /// </summary>
    private void MatchContents()
    {
        Dictionary<(ulong Content, long Size), int> added = [];
        foreach (int row in table.Added)
        {
            if (table[row].SizeBytes > 0)
            {
                CollectionsMarshal.GetValueRefOrAddDefault(added, (table[row].Content, table[row].SizeBytes), out _)++;
            }
        }

        HashSet<(ulong Content, long Size)> moved = [];
        foreach (int row in Removed)
        {
            (ulong Content, long Size) content = (table[row].Content, table[row].SizeBytes);
            if (added.ContainsKey(content))
            {
                MovedAway.Add(row);
                moved.Add(content);
            }
            else if (!table[row].IsLink)
            {
                lost.Add(row);
            }
        }

        foreach (int row in table.Added)
        {
            if (moved.Contains((table[row].Content, table[row].SizeBytes)))
            {
                MovedHere.Add(row);
            }
            else if (!table[row].IsLink && !table.IsReturned(row))
            {
                gained.Add(row);
            }
        }
    }

    private void CountVanished(List<int> left, int[] filesOfFolders)
    {
        // Of files that are there for one version only nothing is known.
        bool areMany = left.Count >= ManyOfAll * transition.FilesBefore;
        int leastAge = areMany ? 0 : Math.Min(1, table.Version - 1);
        List<int> vanished =
        [
            .. left.Where(row =>
                table[row].SizeBytes > 0
                && !table[row].CameWithAttack
                && !made.Is(row)
                && table.Version - 1 - table[row].FirstSeen >= leastAge
            ),
        ];
        RebuiltFolders folders = new(table, made, filesOfFolders);
        HashSet<int> rebuilt = folders.Among(vanished, gained, MovedAway);
        rebuilt.UnionWith(BroughtBack(vanished));
        HashSet<int> edited = folders.OfSources(vanished);
        HashSet<ulong> elsewhere = Elsewhere(vanished);
        vanished.RemoveAll(row =>
            rebuilt.Contains(table.FolderOf(row)) || elsewhere.Contains(table[row].Content) || edited.Contains(row)
        );
        if (transition[Signs.Note] == 0)
        {
            HashSet<int> packed = new LostToArchives(table, made).Among(vanished, left, gained);
            vanished.RemoveAll(packed.Contains);
        }

        foreach (int row in left)
        {
            signs[row] |= Signs.Vanished;
        }

        transition[Signs.Vanished] = vanished.Count;
        transition.Details[Signs.Vanished] = WhereOf(vanished);
    }

    /// <summary>
    /// Folders into which as many older files came back: what goes then is what had replaced them.
    /// </summary>
    private IEnumerable<int> BroughtBack(List<int> vanished)
    {
        Dictionary<int, int> returned = table.Added.Where(table.IsReturned).CountBy(table.FolderOf).ToDictionary();
        return vanished
            .CountBy(table.FolderOf)
            .Where(lost => returned.GetValueOrDefault(lost.Key) >= NearlyAll * lost.Value)
            .Select(lost => lost.Key);
    }

    /// <summary>The contents of files that other files have that are still there.</summary>
    private HashSet<ulong> Elsewhere(List<int> files)
    {
        HashSet<ulong> contents = [.. files.Select(row => table[row].Content)];
        HashSet<ulong> found = [];
        for (int row = 0; row < table.Count && contents.Count > 0; row++)
        {
            if (table.IsPresent(row) && contents.Contains(table[row].Content))
            {
                found.Add(table[row].Content);
            }
        }

        return found;
    }

    /// <summary>The folder that all have in common, if there is one below the root.</summary>
    private string WhereOf(List<int> files)
    {
        if (files.Count == 0)
        {
            return "";
        }

        ReadOnlySpan<byte> common = table.FolderPath(table.FolderOf(files[0]));
        foreach (int row in files)
        {
            common = common[..common.CommonPrefixLength(table.FolderPath(table.FolderOf(row)))];
        }

        common = common[..(common.LastIndexOfAny((byte)'/', (byte)'\\') + 1)];
        return common.Length > 1 ? Encoding.UTF8.GetString(common) : "";
    }

    /// <summary>
    /// Finds the name of a file that a new name was made of, by taking off extensions.
    /// </summary>
    public static bool TryFindOld(
        NameKeys keys,
        Dictionary<ulong, int> names,
        Dictionary<ulong, int> stems,
        int folder,
        ReadOnlySpan<byte> name,
        out int old,
        out bool isAppended
    )
    {
        ReadOnlySpan<byte> stem = name;
        for (int i = 0; i < MostSuffixes; i++)
        {
            ReadOnlySpan<byte> shorter = NameKeys.StemOf(stem);
            if (shorter.Length == stem.Length)
            {
                break;
            }

            stem = shorter;
            if (
                names.TryGetValue(keys.Of(folder, stem), out old)
                || (stem[0] == '.' && names.TryGetValue(keys.Of(folder, stem[1..]), out old))
            )
            {
                isAppended = true;
                return true;
            }
        }

        isAppended = false;
        return stems.TryGetValue(keys.Of(folder, NameKeys.StemOf(name)), out old);
    }
}
