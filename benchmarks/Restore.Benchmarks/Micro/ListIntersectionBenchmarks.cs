using System.Globalization;
using BenchmarkDotNet.Attributes;

namespace Restore.Benchmarks.Micro;

/// <summary>
/// Two lists of names, half of them in both: each name is compared with each, so the time grows
/// with the square.
/// </summary>
public class ListIntersectionBenchmarks
{
    private List<string> needed = [];
    private List<string> indexed = [];

    [Params(10, 1_000, 10_000)]
    public int Names { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        needed = [.. Enumerable.Range(0, Names).Select(Name)];
        indexed = [.. Enumerable.Range(Names / 2, Names).Select(Name)];
    }

    [Benchmark]
    public int Lists() => needed.Count(indexed.Contains);

    private static string Name(int number) => number.ToString("D44", CultureInfo.InvariantCulture);
}
