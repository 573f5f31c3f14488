namespace Restore.Assessment;

/// <summary>
/// Whether the files with a sign are nearly all files of one kind that programs edit by the
/// thousand: the year in each source file, the tags of a music library, the places of photos.
/// Malware hits what is there.
/// </summary>
internal sealed class OneKind(ReadOnlySpan<long> steadyOfGroups)
{
    // What replaces words by others of the same length in source code edits one program of many.
    private const double LeastOfSameSizeText = 0.1;
    private const double LeastOfText = 0.5;
    private const double LeastOfKind = 0.6;
    private const double Nearly = 0.9;

    // So much of what chance would hit of the other files may be hit: people edit as well.
    private const double MostOfOthers = 0.25;

    // With fewer other files none of them would be hit by chance.
    private const double LeastExpected = 5;

    private readonly long[] steady = [.. steadyOfGroups];
    private readonly int[] changed = new int[steadyOfGroups.Length];
    private readonly int[] hits = new int[steadyOfGroups.Length];
    private int sameSize;

    public bool IsOne
    {
        get
        {
            int all = hits.Sum();
            long files = steady.Sum();
            int most = Array.IndexOf(hits, hits.Max());
            double least = (TypeGroup)most switch
            {
                TypeGroup.Text when sameSize >= Nearly * all => LeastOfSameSizeText,
                TypeGroup.Text => LeastOfText,
                TypeGroup.Music or TypeGroup.Picture or TypeGroup.Film => LeastOfKind,
                _ => double.PositiveInfinity,
            };
            double expected = files == 0 ? 0 : (double)all * (files - steady[most]) / files;
            return all - hits[most] <= MostOfOthers * expected
                && changed[most] >= least * steady[most]
                && expected >= LeastExpected;
        }
    }

    public void Count(TypeGroup group, bool isHit, long growth)
    {
        changed[(int)group]++;
        hits[(int)group] += isHit ? 1 : 0;
        sameSize += isHit && growth == 0 ? 1 : 0;
    }
}
