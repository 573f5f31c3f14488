namespace Restore.Assessment;

/// <summary>
/// Pairs files that are gone with files that are new, by their names: the same name elsewhere, the
/// same name with another number, or the same stem with another extension, which is another format
/// or the work of malware.
/// </summary>
internal sealed class NewNames(FileTable table, MadeFiles made, Transition transition, NameKeys keys)
{
    private const double FewOfType = 0.02;
    private const double Most = 0.7;
    private const int LeastDoubtful = 3;
    private const long MostStubBytes = 4096;

    // What an attack may have replaced, with what replaced it.
    private readonly List<NamePair> attacked = [];
    private readonly HashSet<int> moved = [];

    /// <param name="movedAway">Files that have another name now, so that a new file can have taken
    /// theirs.</param>
    /// <returns>The files on both sides that belong together.</returns>
    public HashSet<int> Match(
        List<int> lost,
        List<int> movedAway,
        List<int> gained,
        ReadOnlySpan<long> filesOfTypes,
        Dictionary<int, Signs> signs
    )
    {
        HashSet<int> matched = [];
        moved.UnionWith(movedAway);
        FindCopies(gained, filesOfTypes, signs);
        MatchChanged(lost, matched);
        if (lost.Count + movedAway.Count == 0 || gained.Count == 0)
        {
            return matched;
        }

        Dictionary<ulong, int> names = [];
        Dictionary<ulong, int> stems = [];
        foreach (int row in lost.Concat(movedAway))
        {
            names[keys.Of(table.FolderOf(row), table.NameOf(row))] = row;
            stems[keys.Of(table.FolderOf(row), NameKeys.StemOf(table.NameOf(row)))] = row;
        }

        Dictionary<int, List<NamePair>> pairsOfTypes = [];
        foreach (int row in gained)
        {
            if (
                LostFiles.TryFindOld(
                    keys,
                    names,
                    stems,
                    table.FolderOf(row),
                    table.NameOf(row),
                    out int old,
                    out bool isAppended
                )
                && table[old].Type != table[row].Type
            )
            {
                (CollectionsMarshal.GetValueRefOrAddDefault(pairsOfTypes, table[row].Type, out _) ??= []).Add(
                    new NamePair(old, row, isAppended)
                );
                matched.Add(old);
                matched.Add(row);
            }
        }

        foreach ((int type, List<NamePair> pairs) in pairsOfTypes)
        {
            if (IsAttack(type, pairs, filesOfTypes))
            {
                Mark(type, pairs, gained, signs);
            }
        }

        MarkPrefixes(names, gained, matched, signs);
        MatchOthers(lost, gained, matched);
        return matched;
    }

    /// <summary>Files whose names got the same beginning.</summary>
    private void MarkPrefixes(
        Dictionary<ulong, int> names,
        List<int> gained,
        HashSet<int> matched,
        Dictionary<int, Signs> signs
    )
    {
        foreach ((string prefix, List<NamePair> pairs) in new NewPrefixes(table, keys).Find(names, gained, matched))
        {
            if (!IsSameGrowth(pairs))
            {
                continue;
            }

            foreach (NamePair pair in pairs)
            {
                signs[pair.Old] = signs.GetValueOrDefault(pair.Old) | Signs.NewExtension;
                signs[pair.New] = signs.GetValueOrDefault(pair.New) | Signs.Replacement;
                matched.Add(pair.Old);
                matched.Add(pair.New);
            }

            Count(pairs, $"with {prefix} before its name");
        }
    }

    /// <summary>What the sign says of a new extension.</summary>
    public static string WithExtension(ReadOnlySpan<byte> extension)
    {
        string dotted = "." + Encoding.UTF8.GetString(extension);
        return $"with the extension {dotted}";
    }

    private void Count(List<NamePair> pairs, string detail)
    {
        transition[Signs.NewExtension] += pairs.Count;
        transition.Details[Signs.NewExtension] = detail;
        attacked.AddRange(pairs);
    }

    /// <summary>
    /// The files of the pairs if all became longer by the same bytes, or all are nearly nothing now.
    /// </summary>
    public IEnumerable<int> Doubtful() =>
        attacked.Count >= LeastDoubtful
        && (
            IsSameGrowth(attacked)
            || attacked.TrueForAll(pair =>
                table[pair.New].SizeBytes <= MostStubBytes && table[pair.Old].SizeBytes > table[pair.New].SizeBytes
            )
        )
            ? attacked
                .Select(pair => pair.New)
                .Concat(attacked.Select(pair => pair.Old).Where(row => !table.IsPresent(row) && !moved.Contains(row)))
            : [];

    /// <summary>Files beside which another format of them was made again.</summary>
    private void MatchChanged(List<int> lost, HashSet<int> matched)
    {
        HashSet<ulong> stems =
        [
            .. table.Changed.Select(changed =>
                keys.Of(table.FolderOf(changed.Row), NameKeys.StemOf(table.NameOf(changed.Row)))
            ),
        ];
        matched.UnionWith(
            lost.Where(row => stems.Contains(keys.Of(table.FolderOf(row), NameKeys.StemOf(table.NameOf(row)))))
        );
    }

    /// <summary>
    /// Finds encrypted copies of files that are still there: malware may remove the files later.
    /// </summary>
    private void FindCopies(List<int> gained, ReadOnlySpan<long> filesOfTypes, Dictionary<int, Signs> signs)
    {
        Dictionary<int, List<NamePair>> pairsOfTypes = [];
        foreach (int row in gained)
        {
            if (!FileTypes.IsHarmless(table.TypeName(table[row].Type)) && TryFindBeside(row, out int old))
            {
                (CollectionsMarshal.GetValueRefOrAddDefault(pairsOfTypes, table[row].Type, out _) ??= []).Add(
                    new NamePair(old, row, IsAppended: true)
                );
            }
        }

        foreach ((int type, List<NamePair> pairs) in pairsOfTypes)
        {
            if (!IsKnown(type, pairs.Count, filesOfTypes) && IsSameGrowth(pairs))
            {
                Mark(type, pairs, gained, signs);
                pairs.ForEach(pair => table.CopiedByAttack[pair.Old] = pair.New);
            }
        }
    }

    private bool TryFindBeside(int row, out int old)
    {
        ReadOnlySpan<byte> folder = table.FolderPath(table.FolderOf(row));
        ReadOnlySpan<byte> stem = table.NameOf(row);
        for (int i = 0; i < LostFiles.MostSuffixes; i++)
        {
            ReadOnlySpan<byte> shorter = NameKeys.StemOf(stem);
            if (shorter.Length == stem.Length)
            {
                break;
            }

            stem = shorter;
            if (table.TryFind([.. folder, .. stem], out old))
            {
                return table.IsPresent(old) && table[old].FirstSeen < table.Version;
            }
        }

        old = -1;
        return false;
    }

    private void Mark(int type, List<NamePair> pairs, List<int> gained, Dictionary<int, Signs> signs)
    {
        foreach (NamePair pair in pairs)
        {
            signs[pair.Old] = signs.GetValueOrDefault(pair.Old) | Signs.NewExtension;
        }

        foreach (int row in gained)
        {
            if (table[row].Type == type)
            {
                signs[row] = signs.GetValueOrDefault(row) | Signs.Replacement;
            }
        }

        Count(pairs, WithExtension(table.TypeName(type)));
    }

    /// <summary>
    /// Whether the pairs of one new extension are no conversion to another format.
    /// </summary>
    private bool IsAttack(int type, List<NamePair> pairs, ReadOnlySpan<long> filesOfTypes)
    {
        if (IsKnown(type, pairs.Count, filesOfTypes))
        {
            return false;
        }

        bool isAppended = pairs.Count(pair => pair.IsAppended) >= Most * pairs.Count;
        bool isOneSize =
            pairs.GroupBy(pair => table[pair.New].SizeBytes).Max(group => group.Count()) >= Most * pairs.Count;
        return IsSameGrowth(pairs)
            || isOneSize
            || (isAppended && made.GroupOf(type) == TypeGroup.Other && !FileTypes.IsHarmless(table.TypeName(type)));
    }

    private static bool IsKnown(int type, int pairs, ReadOnlySpan<long> filesOfTypes) =>
        type < filesOfTypes.Length && filesOfTypes[type] > FewOfType * pairs;

    private bool IsSameGrowth(List<NamePair> pairs)
    {
        List<long> growths = [.. pairs.Select(pair => table[pair.New].SizeBytes - table[pair.Old].SizeBytes)];
        List<(long Size, long Growth)> small =
        [
            .. pairs
                .Select(pair => (table[pair.Old].SizeBytes, table[pair.New].SizeBytes - table[pair.Old].SizeBytes))
                .Where(IsSmall),
        ];
        return Growth.BestWindow(growths).Count >= Most * pairs.Count
            || (small.Count >= Most * pairs.Count && Growth.IsConstant(small));
    }

    private static bool IsSmall((long Size, long Growth) file) => file.Growth is >= 0 and <= Growth.MostSmall;

    /// <summary>Each new file takes the place of one that is gone.</summary>
    private void MatchOthers(List<int> lost, List<int> gained, HashSet<int> matched)
    {
        Dictionary<ulong, int> names = [];
        foreach (int row in gained)
        {
            if (!matched.Contains(row))
            {
                CollectionsMarshal.GetValueRefOrAddDefault(names, keys.Of(-1, table.NameOf(row)), out _)++;
                CollectionsMarshal.GetValueRefOrAddDefault(
                    names,
                    keys.WithoutNumbers(table.FolderOf(row), table.NameOf(row)),
                    out _
                )++;
            }
        }

        foreach (int row in lost)
        {
            if (
                Take(keys.Of(-1, table.NameOf(row)))
                || Take(keys.WithoutNumbers(table.FolderOf(row), table.NameOf(row)))
            )
            {
                matched.Add(row);
            }
        }

        bool Take(ulong name)
        {
            ref int left = ref CollectionsMarshal.GetValueRefOrNullRef(names, name);
            return !Unsafe.IsNullRef(ref left) && left-- > 0;
        }
    }
}
