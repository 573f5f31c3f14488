using Restore.Benchmarks.Data;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Suite;
using static System.FormattableString;

namespace Restore.Benchmarks.Goals;

/// <summary>
/// The goals of docs/performance.md, by groups of programs that are measured side by side.
/// </summary>
internal static class GoalGroups
{
    private const string Restore = "restore";
    private const string Primed = "restore, memory touched";
    private const string Database = "restore with database";
    private const string Part = "restore of 30,000";
    private const string Floor = "floor";
    private const string Roofline = "roofline";
    private const string Loop = "loop";
    private const string Writer = "backup";
    private const int StartRuns = 20;
    private const double PartOfMany = 0.3;
    private const double TinyFilesBetween = 100_000 * (1 - PartOfMany);

    /// <summary>
    /// The names of all groups: in this order they are measured. The last one makes and deletes a
    /// million files.
    /// </summary>
    public static IReadOnlyList<string> Names { get; } =
    ["start", "small-random", "small-text", "one-file", "flush", "many", "writer", "keeping", "million"];

    /// <summary>The goals.</summary>
    /// <param name="scale">The share of the data: a goal for a tiny file needs their
    /// number.</param>
    public static IReadOnlyList<Goal> Goals(double scale) =>
        [
            new(
                "start",
                "start of a restore, until it asks for a block volume",
                "s",
                Of("start", Restore, "first byte of a block volume s"),
                null,
                0.10
            ),
            .. new[] { "small-random", "small-text" }.SelectMany(Small),
            new(
                "one-file",
                "one file of 4 GB: the slower of its hash and of writing it",
                "s",
                Of("one-file", Restore),
                Of("one-file", Roofline, "hash or write s"),
                1.2
            ),
            new(
                "flush",
                "small-random, flushed: `dd conv=fsync` of the same bytes",
                "s",
                Of("flush", Restore),
                Of("flush", "dd"),
                1.1
            ),
            new("many", "many: the floor", "s", Of("many", Restore), Of("many", Floor), 0.5),
            new("many", "many with a local database: without", "s", Of("many", Database), Of("many", Restore), 1),
            new(
                "many",
                "the same, user time",
                "s",
                Of("many", Database, GoalSamples.User),
                Of("many", Restore, GoalSamples.User),
                1
            ),
            new("many", "user time of one more tiny file", "µs", samples => TinyFile(samples, scale), null, 15),
            new(
                "writer",
                "writing small-random: a loop that compresses and hashes",
                "s",
                Of("writer", "backup small-random"),
                Of("writer", "loop small-random"),
                0.9
            ),
            new(
                "writer",
                "writing small-text: the same",
                "s",
                Of("writer", "backup small-text"),
                Of("writer", "loop small-text"),
                0.9
            ),
            new(
                "writer",
                "writing many: twice a loop that reads and hashes",
                "s",
                Of("writer", "backup many"),
                samples => [.. Of("writer", "loop many")(samples).Select(wall => 2 * wall)],
                1
            ),
            new(
                "keeping",
                "compact, half of small-random is waste: reading and writing the same bytes",
                "s",
                Of("keeping", "compact"),
                Of("keeping", "copy"),
                null
            ),
            new(
                "keeping",
                "database of many: reading the lists and index volumes, and writing its bytes",
                "s",
                Of("keeping", "database"),
                Of("keeping", "read and write"),
                null
            ),
            new("million", "a million files: peak memory", "MB", Of("million", Restore, GoalSamples.Peak), null, 300),
        ];

    /// <summary>Measures one group.</summary>
    public static Task MeasureAsync(string group, GoalBench bench, int runs) =>
        group switch
        {
            "start" => StartAsync(bench, runs),
            "small-random" or "small-text" => SmallAsync(group, bench, runs),
            "one-file" => OneFileAsync(bench, runs),
            "flush" => FlushAsync(bench, runs),
            "many" => ManyAsync(bench, runs),
            "writer" => WriterAsync(bench, runs),
            "keeping" => KeepingAsync(bench, runs),
            "million" => MillionAsync(bench),
            _ => throw new UsageException($"There is no group {group}. There are: {string.Join(", ", Names)}."),
        };

    private static Goal[] Small(string set) =>
        [
            new(set, $"{set}: the roofline", "s", Of(set, Restore), Of(set, Roofline), 1.2),
            new(set, $"{set}: the floor", "s", Of(set, Restore), Of(set, Floor), 0.8),
            new(
                set,
                $"{set}, memory touched before: the floor",
                "s",
                Of(set, Primed),
                Of(set, $"{Floor}, memory touched"),
                0.8
            ),
            new(set, $"{set}: peak memory", "MB", Of(set, Restore, GoalSamples.Peak), null, 100),
        ];

    private static Func<GoalSamples, double[]> Of(string group, string who, string figure = GoalSamples.Wall) =>
        samples => samples.Of(group, who, figure);

    private static double[] TinyFile(GoalSamples samples, double scale)
    {
        double[] all = samples.Of("many", Restore, GoalSamples.User);
        double[] part = samples.Of("many", Part, GoalSamples.User);
        return [.. all.Zip(part, (one, other) => (one - other) * 1e6 / (TinyFilesBetween * scale))];
    }

    private static async Task StartAsync(GoalBench bench, int runs)
    {
        PreparedSet set = await bench.PrepareAsync(DataSet.Named("many") with { Name = "ten", Files = 10 });
        await bench.RoundsAsync("start", runs > 1 ? StartRuns : 1, bench.Start(set));
    }

    private static async Task SmallAsync(string name, GoalBench bench, int runs)
    {
        PreparedSet set = await bench.PrepareAsync(DataSet.Named(name).Scale(bench.Scale));
        await bench.RoundsAsync(
            name,
            runs,
            [
                bench.Restore(Restore, set, bench.Program),
                bench.Restore(Primed, set, bench.Program, isPrimed: true),
                bench.Roofline(set),
                .. bench.Others.Select(other => bench.Restore(other.Name, set, other)),
                .. bench.Others.Select(other =>
                    bench.Restore($"{other.Name}, memory touched", set, other, isPrimed: true)
                ),
            ]
        );
    }

    private static async Task OneFileAsync(GoalBench bench, int runs)
    {
        long bytes = (long)((4L << 30) * bench.Scale);
        PreparedSet set = await bench.PrepareAsync(
            DataSet.Named("small-random") with
            {
                Name = "one-file",
                Files = 1,
                TotalBytes = bytes,
                MaxFileBytes = bytes,
            }
        );
        await bench.RoundsAsync("one-file", runs, bench.Restore(Restore, set, bench.Program), bench.Roofline(set));
    }

    private static async Task FlushAsync(GoalBench bench, int runs)
    {
        PreparedSet set = await bench.PrepareAsync(DataSet.Named("small-random").Scale(bench.Scale));
        string together = bench.PathOf("together.bin");
        using (FileStream all = new(together, FileMode.Create))
        {
            foreach (string file in set.Files)
            {
                using FileStream one = File.OpenRead(Path.Combine(set.Source, file));
                await one.CopyToAsync(all);
            }
        }

        string Copy(int round) => bench.PathOf(Invariant($"copy-{round}.bin"));
        await bench.RoundsAsync(
            "flush",
            runs,
            bench.Restore(Restore, set, bench.Flushed),
            bench.Other("dd", round => ["dd", $"if={together}", $"of={Copy(round)}", "bs=1M", "conv=fsync"], Copy)
        );
        File.Delete(together);
    }

    private static async Task ManyAsync(GoalBench bench, int runs)
    {
        DataSet many = DataSet.Named("many").Scale(bench.Scale);
        PreparedSet set = await bench.PrepareAsync(many);
        PreparedSet part = await bench.PrepareAsync(many.Scale(PartOfMany) with { Name = "many-part" });
        string database = bench.PathOf("many.sqlite");
        bench.Run([bench.Program.Command[0], "database", set.Backup, $"--output={database}"]);
        await bench.RoundsAsync(
            "many",
            runs,
            [
                bench.Restore(Restore, set, bench.Program),
                bench.Restore(Part, part, bench.Program),
                bench.Restore(Database, set, bench.Program, isPrimed: false, $"--dbpath={database}"),
                .. bench.Others.Select(other => bench.Restore(other.Name, set, other)),
            ]
        );
    }

    private static async Task WriterAsync(GoalBench bench, int runs)
    {
        List<Side> sides = [];
        foreach (string name in new[] { "small-random", "small-text", "many" })
        {
            PreparedSet set = await bench.PrepareAsync(DataSet.Named(name).Scale(bench.Scale));
            string Written(int round) => bench.PathOf(Invariant($"{name}-written-{round}"));
            sides.Add(
                bench.Other(
                    $"{Writer} {name}",
                    round =>
                        [
                            bench.Program.Command[0],
                            "backup",
                            set.Source,
                            Written(round),
                            "--quiet",
                            .. bench.PassphraseArguments,
                        ],
                    Written
                )
            );
            sides.Add(
                bench.Other(
                    $"{Loop} {name}",
                    _ => [.. Self.Command, "loop", set.Source, "--compress", name == "many" ? "no" : "yes"]
                )
            );
        }

        await bench.RoundsAsync("writer", runs, [.. sides]);
    }

    /// <summary>
    /// The lower bounds are of programs that read and write, and do nothing else.
    /// </summary>
    private static async Task KeepingAsync(GoalBench bench, int runs)
    {
        string program = bench.Program.Command[0];
        PreparedSet set = await bench.PrepareAsync(DataSet.Named("small-random").Scale(bench.Scale));
        PreparedSet many = await bench.PrepareAsync(DataSet.Named("many").Scale(bench.Scale));
        string left = bench.PathOf("left-out.txt");
        await File.WriteAllLinesAsync(
            left,
            set.Files.Where((_, number) => number % 2 == 0).Select(file => Path.Combine(set.Source, file))
        );
        string wasteful = bench.PathOf("wasteful");
        string compacted = bench.PathOf("compacted");
        string database = bench.PathOf("keeping.sqlite");
        string[] compact = ["--threshold=1", "--yes"];
        bench.Run(["cp", "-r", set.Backup, wasteful]);
        bench.Run([program, "backup", set.Source, wasteful, $"--exclude-from={left}"]);
        bench.Run([program, "delete", wasteful, "--keep-versions=1", "--yes"]);
        bench.Run(["cp", "-r", wasteful, compacted]);
        bench.Run([program, "compact", compacted, .. compact]);
        bench.Run([program, "database", many.Backup, $"--output={database}"]);

        string Made(int round) => bench.PathOf(Invariant($"made-{round}"));
        await bench.RoundsAsync(
            "keeping",
            runs,
            bench.Other(
                "compact",
                round => [program, "compact", Made(round), .. compact],
                Made,
                round => bench.Run(["cp", "-r", wasteful, Made(round)])
            ),
            bench.Other(
                "copy",
                round => ["sh", "-c", $"cat '{wasteful}'/* > /dev/null && cp -r '{compacted}' '{Made(round)}'"],
                Made
            ),
            bench.Other("database", round => [program, "database", many.Backup, $"--output={Made(round)}"], Made),
            bench.Other(
                "read and write",
                round =>
                    [
                        "sh",
                        "-c",
                        $"cat '{many.Backup}'/*.dlist.* '{many.Backup}'/*.dindex.* > /dev/null && cp '{database}' '{Made(round)}'",
                    ],
                Made
            )
        );
    }

    /// <summary>
    /// Once: its memory hardly varies, and a million files take minutes to make. They are not
    /// compared with their source.
    /// </summary>
    private static async Task MillionAsync(GoalBench bench)
    {
        DataSet set = DataSet.Named("many").Scale(10 * bench.Scale);
        string source = bench.PathOf("million-source");
        string backup = bench.PathOf("million-backup");
        bench.Run([.. Self.Command, "generate", source, .. set.ToArguments()]);
        bench.Run([.. Self.Command, "backup", source, backup, .. bench.PassphraseArguments]);
        await bench.RoundsAsync(
            "million",
            1,
            bench.Other(
                Restore,
                round => bench.Program.CommandFor(backup, bench.PathOf(Invariant($"million-{round}")), source, null, [])
            )
        );
    }
}
