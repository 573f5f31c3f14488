namespace Restore.Cli.Options;

internal sealed record VersionNumbers(string Text, IReadOnlyList<(int First, int Last)> Ranges)
{
    /// <summary>
    /// The numbers, each once; the first unknown one is among them, so that it can be named.
    /// </summary>
    public IReadOnlyList<int> Expand(int count) =>
        [
            .. Ranges
                .SelectMany(range =>
                    Enumerable

                        // Cut at the number of versions: a range can name any number, and each
                        // would become an element here.
                        .Range(range.First, Math.Max(0, Math.Min(range.Last, count) - range.First + 1))
                        .DefaultIfEmpty(range.First)
                )
                .Distinct(),
        ];
}
