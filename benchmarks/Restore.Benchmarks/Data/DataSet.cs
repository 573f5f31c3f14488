using static System.FormattableString;

namespace Restore.Benchmarks.Data;

/// <summary>A data set by its parameters, as those of the published comparison.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Files">Number of files.</param>
/// <param name="TotalBytes">Upper limit of the sum of their lengths; unused for tiny files.</param>
/// <param name="MaxFileBytes">Upper limit of the length of a file.</param>
/// <param name="ZeroShare">Share of the pieces of 100 KiB that are all zeros, and so duplicates of
/// each other.</param>
/// <param name="Kind">The content of the files.</param>
/// <param name="Seed">The same seed gives the same bytes.</param>
internal sealed record DataSet(
    string Name,
    int Files,
    long TotalBytes,
    long MaxFileBytes,
    double ZeroShare,
    ContentKind Kind,
    ulong Seed
)
{
    private const long MiB = 1 << 20;
    private const long GiB = 1 << 30;

    private static readonly DataSet[] All =
    [
        new("small-random", 1_000, GiB, 10 * MiB, 0.2, ContentKind.Random, 1),
        new("small-text", 1_000, GiB, 10 * MiB, 0.2, ContentKind.Text, 2),
        new("medium", 10_000, 10 * GiB, 100 * MiB, 0.3, ContentKind.Random, 4),
        new("large", 1_000_000, 100 * GiB, 100 * MiB, 0.4, ContentKind.Random, 5),
        new("many", 100_000, 0, 0, 0, ContentKind.Tiny, 3),
    ];

    public static IEnumerable<string> Names => All.Select(set => set.Name);

    /// <exception cref="UsageException">The set does not exist.</exception>
    public static DataSet Named(string name) =>
        All.FirstOrDefault(set => set.Name == name)
        ?? throw new UsageException($"There is no data set {name}. There are: {string.Join(", ", Names)}.");

    /// <summary>A named set, scaled, and with single parameters changed.</summary>
    public static DataSet FromArguments(Arguments arguments)
    {
        DataSet set = Named(arguments.Text("set") ?? "small-random").Scale(arguments.Number("scale") ?? 1);
        return set with
        {
            Files = (int)(arguments.Number("files") ?? set.Files),
            TotalBytes = (long)(arguments.Number("bytes") ?? set.TotalBytes),
            MaxFileBytes = (long)(arguments.Number("max-file") ?? set.MaxFileBytes),
            ZeroShare = arguments.Number("zeros") ?? set.ZeroShare,
            Kind = Enum.TryParse(arguments.Text("kind") ?? $"{set.Kind}", ignoreCase: true, out ContentKind kind)
                ? kind
                : throw new UsageException("The kind of the content is random, text or tiny."),
            Seed = (ulong)(arguments.Number("seed") ?? set.Seed),
        };
    }

    /// <summary>The arguments for which <see cref="FromArguments"/> returns this set.</summary>
    public IReadOnlyList<string> ToArguments() =>
        [
            Invariant($"--files={Files}"),
            Invariant($"--bytes={TotalBytes}"),
            Invariant($"--max-file={MaxFileBytes}"),
            Invariant($"--zeros={ZeroShare}"),
            $"--kind={Kind}",
            Invariant($"--seed={Seed}"),
        ];

    /// <summary>
    /// The same set with a share of the files and bytes; the distribution of sizes stays.
    /// </summary>
    public DataSet Scale(double factor) =>
        factor == 1
            ? this
            : this with
            {
                Files = Math.Max(1, (int)Math.Round(Files * factor)),
                TotalBytes = (long)(TotalBytes * factor),
                MaxFileBytes = Math.Max(1, (long)Math.Min(MaxFileBytes, TotalBytes * factor)),
            };
}
