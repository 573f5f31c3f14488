namespace Restore.Assessment;

/// <summary>
/// Files that look encrypted or replaced although too few others do for their version to be
/// suspect: an older content of them is the better one. A wrong doubt costs an edit of somebody, so
/// the signs are stricter than those of versions.
/// </summary>
internal sealed class DoubtfulFiles(FileTable table, MadeFiles made, Transition transition)
{
    // So few coincide by chance if they are half of what changed.
    private const int LeastGrown = 4;
    private const double LeastShare = 0.5;
    private const int LeastTypes = 2;

    // Exactly as many bytes more says as much with fewer files.
    private const int LeastExact = 3;

    // Edits add fewer bytes.
    private const int LeastBytes = 128;

    // Of more the rules of versions decide, which know what is usual and what programs do.
    private const int MostFiles = 10;
    private const double MostShare = 0.03;

    private const int LeastAlike = 3;
    private const int LeastOfOneSize = 4;
    private const double LeastShareOfOneSize = 0.3;

    /// <summary>The changed rows that are doubtful.</summary>
    /// <param name="signs">The signs of the changed files, in their order.</param>
    public HashSet<int> Among(Signs[] signs)
    {
        List<ChangedFile> cold = [];
        for (int i = 0; i < signs.Length; i++)
        {
            ChangedFile changed = table.Changed[i];
            if (
                signs[i].HasFlag(Signs.AnyChange)
                && changed.WasCold
                && changed.OldSizeBytes > 0
                && !table[changed.Row].IsLink
                && !made.Is(changed.Row)
                && made.GroupOf(table[changed.Row].Type) != TypeGroup.Container
            )
            {
                cold.Add(changed);
            }
        }

        return
        [
            .. cold.Where(changed => table[changed.Row].SizeBytes == 0).Select(changed => changed.Row),
            .. IfFew(Alike(cold)),
            .. IfFew(OfOneSize(cold)),
            .. transition.OneKind == Signs.None ? IfFew(Grown(cold)) : [],
        ];
    }

    private IEnumerable<int> IfFew(IEnumerable<int> rows)
    {
        int[] all = [.. rows];
        return all.Length <= Math.Max(MostFiles, MostShare * transition.Steady) ? all : [];
    }

    /// <summary>Files that were different and have one content now.</summary>
    private IEnumerable<int> Alike(List<ChangedFile> cold) =>
        cold.Where(changed => table[changed.Row].SizeBytes > 0)
            .GroupBy(changed => table[changed.Row].Content)
            .Where(group => group.Select(changed => changed.OldContent).Distinct().Count() >= LeastAlike)
            .SelectMany(group => group.Select(changed => changed.Row));

    /// <summary>Files of several lengths that are shorter and have one length now.</summary>
    private IEnumerable<int> OfOneSize(List<ChangedFile> cold) =>
        cold.Where(changed => table[changed.Row].SizeBytes > 0 && table[changed.Row].SizeBytes < changed.OldSizeBytes)
            .GroupBy(changed => table[changed.Row].SizeBytes)
            .Where(group =>
                group.Select(changed => changed.OldSizeBytes).Distinct().Count() >= LeastOfOneSize
                && group.Count() >= LeastShareOfOneSize * cold.Count
            )
            .SelectMany(group => group.Select(changed => changed.Row));

    /// <summary>Files of several types that are longer by the same few bytes.</summary>
    private IEnumerable<int> Grown(List<ChangedFile> cold)
    {
        List<long> growths = [.. cold.Select(GrowthOf).Where(growth => growth >= LeastBytes)];
        (long from, int count) = Growth.BestWindow(growths);
        bool isExact = growths.Count(growth => growth == from) == count;
        if (count < (isExact ? LeastExact : LeastGrown) || count < LeastShare * cold.Count)
        {
            return [];
        }

        ChangedFile[] grown =
        [
            .. cold.Where(changed => changed.OldSizeBytes >= Growth.LeastBytes && Growth.IsIn(GrowthOf(changed), from)),
        ];
        return grown.Select(changed => table[changed.Row].Type).Distinct().Count() >= LeastTypes
            ? grown.Select(changed => changed.Row)
            : [];
    }

    private long GrowthOf(ChangedFile changed) => table[changed.Row].SizeBytes - changed.OldSizeBytes;
}
