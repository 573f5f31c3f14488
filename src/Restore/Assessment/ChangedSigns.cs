namespace Restore.Assessment;

/// <summary>Finds out what the files with new content have in common.</summary>
internal sealed class ChangedSigns(FileTable table, MadeFiles made, Transition transition)
{
    private const double NearlyAll = 0.9;
    private const double Half = 0.5;

    // What programs do to all files of a kind.
    private static readonly Signs[] Excused = [Signs.SameGrowth, Signs.SmallGrowth, Signs.KeptType, Signs.Shrunk];

    private readonly List<long> growths = [];
    private int exact;

    /// <returns>The signs of each changed file, in their order.</returns>
    /// <param name="removed">Rows that are gone: their contents may be under other names.</param>
    public Signs[] Read(long[] steadyOfTypes, IReadOnlyList<int> removed)
    {
        long[] steadyOfGroups = new long[Enum.GetValues<TypeGroup>().Length];
        for (int type = 0; type < steadyOfTypes.Length; type++)
        {
            steadyOfGroups[(int)made.GroupOf(type)] += steadyOfTypes[type];
        }

        HashSet<ulong> moved =
        [
            .. table.Changed.Select(changed => changed.OldContent).Concat(removed.Select(row => table[row].Content)),
        ];

        // Where they are most of a backup, they are all that an accident can hit.
        bool areContainers = steadyOfGroups[(int)TypeGroup.Container] > Half * transition.Steady;
        Signs[] signs = new Signs[table.Changed.Count];
        bool[] isCold = new bool[signs.Length];
        for (int i = 0; i < signs.Length; i++)
        {
            ChangedFile changed = table.Changed[i];

            // The next number of a log has the content that the number before it had.
            bool isKnown =
                changed.IsReturned || (table[changed.Row].SizeBytes > 0 && moved.Contains(table[changed.Row].Content));
            signs[i] = isKnown ? Signs.None : Signs.AnyChange;
            isCold[i] =
                !isKnown
                && changed.WasCold
                && changed.OldSizeBytes > 0
                && !table[changed.Row].IsLink
                && !made.Is(changed.Row)
                && (areContainers || made.GroupOf(table[changed.Row].Type) != TypeGroup.Container);
            if (isCold[i] && changed.OldSizeBytes >= Growth.LeastBytes)
            {
                growths.Add(table[changed.Row].SizeBytes - changed.OldSizeBytes);
            }
        }

        (long from, int inWindow) = Growth.BestWindow(growths);
        (ulong content, long size) = MostAlike(isCold);
        List<(long Size, long Growth)> small = [];
        int[] kept = new int[steadyOfGroups.Length];
        (Signs Sign, OneKind Kind)[] kinds =
        [
            .. Excused.Select(sign => (sign, new OneKind(made, steadyOfTypes, isOfMedia: sign == Signs.Shrunk))),
        ];
        for (int i = 0; i < signs.Length; i++)
        {
            if (isCold[i])
            {
                signs[i] |= SignsOf(table.Changed[i], from, content, size);
                Note(i, signs[i], small, kept);
                FileRow row = table[table.Changed[i].Row];
                long growth = row.SizeBytes - table.Changed[i].OldSizeBytes;
                foreach ((Signs sign, OneKind kind) in kinds)
                {
                    kind.Count(row, signs[i].HasFlag(sign), growth);
                }

                if (
                    growth is >= -Growth.MostSmall and <= Growth.MostSmall
                    && table.Changed[i].OldSizeBytes >= Growth.LeastBytes
                )
                {
                    transition.Growths.Add(((int)growth, row.Type, table.Changed[i].Row));
                }

                exact += growth == 0 && row.SizeBytes >= Growth.LeastBytes ? 1 : 0;
                transition.Count(signs[i]);
            }
            else if (table.Changed[i].OldSizeBytes > 0 && signs[i] != Signs.None)
            {
                signs[i] |= SignsOf(table.Changed[i], from, content, size);
            }
        }

        transition.GrowthFrom = from;
        transition.GrowthIsConstant = Growth.IsConstant(small) || Growth.IsAligned(small);
        transition.KeptGroupsHit = KeptGroupsHit(kept, steadyOfGroups);
        transition.GrowthIsExact = from == 0 && exact >= NearlyAll * transition[Signs.SameGrowth];
        foreach ((Signs sign, OneKind kind) in kinds)
        {
            transition.OneKind |= kind.IsOne && !IsWalk(sign, signs, isCold) ? sign : Signs.None;
        }

        transition.Details[Signs.SameGrowth] = inWindow == 0 ? "" : GrowthText(from, from + Growth.Window);
        return signs;
    }

    private bool IsWalk(Signs sign, Signs[] signs, bool[] isCold)
    {
        HashSet<int> hits = [];
        for (int i = 0; i < signs.Length; i++)
        {
            if (isCold[i] && signs[i].HasFlag(sign))
            {
                hits.Add(table.Changed[i].Row);
            }
        }

        return new WalkedFolders(table, made).Are(hits);
    }

    private static int KeptGroupsHit(int[] kept, ReadOnlySpan<long> steadyOfGroups)
    {
        const int Least = 5;
        const double Share = 0.03;
        int groups = 0;
        for (int group = 0; group < kept.Length; group++)
        {
            groups += kept[group] >= Math.Max(Least, Share * steadyOfGroups[group]) ? 1 : 0;
        }

        return groups;
    }

    private Signs SignsOf(ChangedFile changed, long from, ulong content, long size)
    {
        ref FileRow row = ref table[changed.Row];
        long growth = row.SizeBytes - changed.OldSizeBytes;
        Signs signs = row.SizeBytes == 0 ? Signs.Emptied : Signs.None;
        bool isTelling = changed.OldSizeBytes >= Growth.LeastBytes;
        signs |= isTelling && Growth.IsIn(growth, from) ? Signs.SameGrowth : Signs.None;
        signs |=
            row.SizeBytes > 0 && ((content != 0 && row.Content == content) || (growth != 0 && row.SizeBytes == size))
                ? Signs.Alike
                : Signs.None;
        signs |= growth < -changed.OldSizeBytes / 10 ? Signs.Shrunk : Signs.None;
        signs |= growth < 0 ? Signs.Shorter : Signs.None;
        signs |= isTelling && growth is >= 0 and <= Growth.MostSmall ? Signs.SmallGrowth : Signs.None;
        return
            made.GroupOf(row.Type)
                is TypeGroup.Other
                    or TypeGroup.Made
                    or TypeGroup.Archive
                    or TypeGroup.Text
                    or TypeGroup.Container
            ? signs
            : signs | Signs.KeptType;
    }

    /// <summary>Remembers of a counted file what only all of them together show.</summary>
    private void Note(int changed, Signs signs, List<(long Size, long Growth)> small, int[] kept)
    {
        (int row, long oldSize) = (table.Changed[changed].Row, table.Changed[changed].OldSizeBytes);
        if (signs.HasFlag(Signs.SmallGrowth))
        {
            small.Add((oldSize, table[row].SizeBytes - oldSize));
        }

        if (signs.HasFlag(Signs.KeptType))
        {
            kept[(int)made.GroupOf(table[row].Type)]++;
        }
    }

    /// <summary>
    /// The content and the length that most of the changed files have in common now; 0 and -1 if
    /// there are none.
    /// </summary>
    private (ulong Content, long Size) MostAlike(bool[] isCold)
    {
        const int Least = 3;
        Dictionary<ulong, int> contents = [];
        Dictionary<long, int> sizes = [];
        for (int i = 0; i < isCold.Length; i++)
        {
            ref FileRow row = ref table[table.Changed[i].Row];
            if (isCold[i] && row.SizeBytes > 0)
            {
                CollectionsMarshal.GetValueRefOrAddDefault(contents, row.Content, out _)++;
                if (row.SizeBytes != table.Changed[i].OldSizeBytes)
                {
                    CollectionsMarshal.GetValueRefOrAddDefault(sizes, row.SizeBytes, out _)++;
                }
            }
        }

        (ulong content, int alike) = contents.OrderByDescending(entry => entry.Value).FirstOrDefault();
        (long size, int sized) = sizes.OrderByDescending(entry => entry.Value).FirstOrDefault();
        return (alike >= Least ? content : 0, sized >= Least ? size : -1);
    }

    private static string GrowthText(long from, long to) =>
        from == 0 ? $"the same size or at most {to:N0} bytes more" : $"{from:N0} to {to:N0} bytes more";
}
