namespace Restore.Benchmarks.Data;

/// <summary>The distribution of file lengths of the published comparison's generator.</summary>
internal static class FileSizes
{
    private const int TinyMaxBytes = 8192;

    /// <summary>A single file has all bytes.</summary>
    public static long[] Choose(DataSet set, Random64 random) =>
        set.Kind == ContentKind.Tiny ? Tiny(set.Files, random)
        : set.Files == 1 ? [set.TotalBytes]
        : Shrunk(set, random);

    /// <summary>
    /// Uniform from 0 to the largest, then random files are cut at random until the sum fits: many
    /// small files, few large ones.
    /// </summary>
    private static long[] Shrunk(DataSet set, Random64 random)
    {
        long[] sizes = [.. Enumerable.Range(0, set.Files).Select(_ => random.NextBelow(set.MaxFileBytes))];
        long total = sizes.Sum();
        while (total > set.TotalBytes)
        {
            int file = (int)random.NextBelow(sizes.Length);
            long shorter = random.NextBelow(Math.Max(1, sizes[file]));
            total -= sizes[file] - shorter;
            sizes[file] = shorter;
        }

        return sizes;
    }

    /// <summary>0 bytes to 8 KiB, uniform in the logarithm.</summary>
    private static long[] Tiny(int files, Random64 random) =>
        [
            .. Enumerable
                .Range(0, files)
                .Select(_ => (long)Math.Exp(random.NextDouble() * Math.Log(TinyMaxBytes + 1)) - 1),
        ];
}
