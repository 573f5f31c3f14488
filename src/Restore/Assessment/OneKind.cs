namespace Restore.Assessment;

/// <summary>
/// Whether the files with a sign are nearly all files of one kind that programs edit by the
/// thousand: the year in each source file, the tags of a music library, the places of photos, films
/// that were encoded again. Malware hits what is there.
/// </summary>
/// <param name="made">Knows the groups of types.</param>
/// <param name="steadyOfTypes">How many files of each type rarely change.</param>
/// <param name="isOfMedia">Whether no program does to sources what the sign says.</param>
internal sealed class OneKind(MadeFiles made, ReadOnlySpan<long> steadyOfTypes, bool isOfMedia)
{
    // What replaces words by others of the same length in source code edits one program of many.
    private const double LeastOfSameSizeText = 0.1;
    private const double LeastOfText = 0.5;
    private const double LeastOfKind = 0.6;
    private const double Nearly = 0.9;

    // So much of what chance would hit of the other files may be hit: people edit as well.
    private const double MostOfOthers = 0.35;

    // With fewer other files none of them would be hit by chance.
    private const double LeastExpected = 5;

    // Chance hits all of a few.
    private const int LeastOfSources = 10;
    private const int LeastFiles = 10;

    private readonly long[] steady = [.. steadyOfTypes];
    private readonly int[] changed = new int[steadyOfTypes.Length];
    private readonly int[] hits = new int[steadyOfTypes.Length];
    private int sameSize;

    /// <summary>
    /// The kind is a group of types, or those types of which a program has edited nearly all.
    /// </summary>
    public bool IsOne
    {
        get
        {
            // A version of folders alone has no types at all.
            if (hits.Sum() == 0)
            {
                return false;
            }

            TypeGroup most = made.GroupOf(Array.IndexOf(hits, hits.Max()));
            return IsKind(type => made.GroupOf(type) == most, LeastOf(most), leastFiles: 1)
                || IsKind(
                    type =>
                        made.GroupOf(type) is var group
                        && (IsMedia(group) || (group == TypeGroup.Text && !isOfMedia && steady[type] >= LeastOfSources))
                        && changed[type] > 0
                        && changed[type] >= LeastOfKind * steady[type],
                    LeastOfKind,
                    LeastFiles
                );
        }
    }

    public void Count(in FileRow file, bool isHit, long growth)
    {
        int type = file.Type;
        changed[type]++;

        // It rarely changed until now, and would not be counted because of this change.
        steady[type] += file.IsCold ? 0 : 1;
        hits[type] += isHit ? 1 : 0;
        sameSize += isHit && growth == 0 ? 1 : 0;
    }

    private static bool IsMedia(TypeGroup group) => group is TypeGroup.Music or TypeGroup.Picture or TypeGroup.Film;

    private double LeastOf(TypeGroup group) =>
        group switch
        {
            TypeGroup.Text when isOfMedia => double.PositiveInfinity,
            TypeGroup.Text when sameSize >= Nearly * hits.Sum() => LeastOfSameSizeText,
            TypeGroup.Text => LeastOfText,
            _ when IsMedia(group) => LeastOfKind,
            _ => double.PositiveInfinity,
        };

    private bool IsKind(Func<int, bool> isOfKind, double least, int leastFiles)
    {
        (long files, long ofKind, int all, int hit, int edited) = (0, 0, 0, 0, 0);
        for (int type = 0; type < hits.Length; type++)
        {
            files += steady[type];
            all += hits[type];
            if (isOfKind(type))
            {
                ofKind += steady[type];
                hit += hits[type];
                edited += changed[type];
            }
        }

        double expected = files == 0 ? 0 : (double)all * (files - ofKind) / files;
        return ofKind >= leastFiles
            && all - hit <= MostOfOthers * expected
            && edited >= least * ofKind
            && expected >= LeastExpected;
    }
}
