using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;

namespace Restore.Simulation;

/// <summary>
/// The whole engine on one thread with a clock of its own, where a seed decides the order of all
/// steps and what goes wrong. Whatever it decides: the operation ends, what counts as restored is
/// right, everything else is named, and everything that was taken is given back.
/// </summary>
public sealed class SimulationTests(ITestOutputHelper output)
{
    private const int UsualSeeds = 1500;
    private const int MostFailures = 5;

    private static readonly TimeSpan UsualTime = TimeSpan.FromSeconds(25);

    [Fact]
    public void Every_seed_ends_with_the_truth()
    {
        (int first, int? asked) = (Number("RESTORE_FIRST_SEED") ?? 1, Number("RESTORE_SEEDS"));
        int end = first + (asked ?? UsualSeeds);
        int next = first - 1;
        long since = Stopwatch.GetTimestamp();
        ConcurrentDictionary<string, int> endings = [];
        ConcurrentQueue<string> failures = [];
        Thread[] threads =
        [
            .. Enumerable
                .Range(0, Math.Min(4, Environment.ProcessorCount))
                .Select(_ => new Thread(Work) { IsBackground = true }),
        ];
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
        output.WriteLine(
            $"{endings.Values.Sum()} seeds from {first} in {Stopwatch.GetElapsedTime(since).TotalSeconds:0} s"
        );
        foreach ((string ending, int count) in endings.OrderBy(ending => ending.Key, StringComparer.Ordinal))
        {
            output.WriteLine($"{count, 6} {ending}");
        }

        Assert.True(failures.IsEmpty, string.Join("\n\n", failures));

        void Work()
        {
            while (
                failures.Count < MostFailures
                && (asked is not null || Stopwatch.GetElapsedTime(since) < UsualTime)
                && Interlocked.Increment(ref next) is int seed
                && seed < end
            )
            {
                try
                {
                    endings.AddOrUpdate(Seed.Run(seed).Ended, 1, (_, count) => count + 1);
                }
                catch (Exception failure)
                {
                    failures.Enqueue($"Seed {seed}: {failure.Message}");
                }
            }
        }
    }

    private static int? Number(string variable) =>
        Environment.GetEnvironmentVariable(variable) is { Length: > 0 } text
            ? int.Parse(text, CultureInfo.InvariantCulture)
            : null;
}
