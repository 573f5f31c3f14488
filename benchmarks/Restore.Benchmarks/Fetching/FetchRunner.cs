using System.Globalization;
using Restore.Benchmarks.Data;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Suite;
using static System.FormattableString;

namespace Restore.Benchmarks.Fetching;

/// <summary>
/// Measures restores from a remote store: every run is a separate process, and its result is
/// checked.
/// </summary>
internal sealed class FetchRunner(FetchOptions options, TextWriter log)
{
    private const string Passphrase = "benchmark";
    private const string SmallFile = "ten-kilobytes.bin";
    private const int SmallFileBytes = 10_000;
    private const int BlockBytes = 1 << 20;
    private const int VolumeBytes = 50 << 20;

    // Index volumes of about 450 blocks, Duplicati's default, for volumes of half a MiB instead of
    // 50: 1,000 fit on any disk.
    private const int SmallBlockBytes = 1 << 10;
    private const int SmallVolumeBytes = 512 << 10;

    // All runs have one address: a cache is that of an address.
    private int port;

    private string Target => Path.Combine(options.WorkFolder, "target");

    private string Output => Path.Combine(options.WorkFolder, "output.txt");

    public async Task<IReadOnlyList<FetchCase>> RunAsync()
    {
        if (!File.Exists(options.Tool))
        {
            throw new UsageException($"There is no tool {options.Tool}. Build it, or give one with --cli.");
        }

        Directory.CreateDirectory(options.WorkFolder);
        try
        {
            return [.. await MeasureLargeAsync(), .. await MeasureIndexesAsync()];
        }
        finally
        {
            Directory.Delete(options.WorkFolder, recursive: true);
        }
    }

    private async Task<List<FetchCase>> MeasureLargeAsync()
    {
        List<FetchCase> cases = [];
        if (!options.Only.Contains("full") && !options.Only.Contains("one-file"))
        {
            return cases;
        }

        PreparedSet set = await PrepareAsync(
            DataSet.Named("small-random").Scale(options.Scale),
            BlockBytes,
            VolumeBytes
        );
        if (options.Only.Contains("full"))
        {
            FetchCase full = new(
                $"restore of all: {Size(set.Bytes)} in {Volumes(set, "dblock")} volumes",
                "at least 90 % of the link"
            );
            await MeasureAsync(
                full,
                set,
                url => Restore(url),
                () => TreeCheck.FirstDifference(set, Target, withTimes: true)
            );
            cases.Add(full);
        }

        if (options.Only.Contains("one-file"))
        {
            FetchCase one = new(
                $"restore of one file of 10 KB out of these {Size(set.Bytes)}",
                "at most 3 MB, at most 2 s"
            );
            await MeasureAsync(one, set, url => Restore(url, $"*/{SmallFile}"), () => FindDifference(set));
            cases.Add(one);
            FetchCase cat = new(
                $"`cat` of the same file of 10 KB out of these {Size(set.Bytes)}",
                "at most 1 MB, at most 0.7 s"
            );
            string path = Path.Combine(set.Source, SmallFile);
            await MeasureAsync(
                cat,
                set,
                url => ["cat", url, path],
                () =>
                    File.ReadAllBytes(Output).AsSpan().SequenceEqual(File.ReadAllBytes(path))
                        ? null
                        : "it has another content"
            );
            cases.Add(cat);
        }

        return cases;
    }

    private async Task<List<FetchCase>> MeasureIndexesAsync()
    {
        if (!options.Only.Contains("indexes"))
        {
            return [];
        }

        long bytes = (long)(432 * options.Scale * (1 << 20));
        DataSet blocks = DataSet.Named("small-random").Scale(options.Scale) with
        {
            Name = "indexes",
            TotalBytes = bytes,
            ZeroShare = 0,
        };
        PreparedSet set = await PrepareAsync(
            blocks with
            {
                MaxFileBytes = Math.Min(1 << 20, bytes),
            },
            SmallBlockBytes,
            SmallVolumeBytes
        );
        FetchCase plan = new(
            $"plan of a restore of all by {Volumes(set, "dindex")} index volumes, {Size(SizeOf(set, "dindex"))} (`--dry-run`)",
            "1,000 in at most 6 s"
        );
        await MeasureAsync(plan, set, url => Restore(url, "--dry-run"), () => null);
        FetchCase one = new($"restore of one file of 10 KB by these {Volumes(set, "dindex")} index volumes", "");
        await MeasureAsync(one, set, url => Restore(url, $"*/{SmallFile}"), () => FindDifference(set));
        return [plan, one];
    }

    private async Task MeasureAsync(
        FetchCase fetchCase,
        PreparedSet set,
        Func<string, string[]> commandFor,
        Func<string?> findDifference
    )
    {
        set.Warm();
        for (int run = 0; run <= options.Runs; run++)
        {
            FetchRun measured = await MeasureAsync(set, commandFor, findDifference);
            await log.WriteLineAsync(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{fetchCase.What}: {measured.Usage.Wall.TotalSeconds:F2} s{(run == 0 ? " (warm-up)" : "")}"
                )
            );
            if (run > 0)
            {
                fetchCase.Runs.Add(measured);
            }
        }
    }

    private async Task<FetchRun> MeasureAsync(
        PreparedSet set,
        Func<string, string[]> commandFor,
        Func<string?> findDifference
    )
    {
        if (Directory.Exists(Target))
        {
            Directory.Delete(Target, recursive: true);
        }

        Machine.Sync();
        await using FolderServer server = new(set.Backup, new Link(options.RoundTrip, options.BytesPerSecond), port);
        port = server.Port;
        string[] command = commandFor(server.Url);
        Usage usage = ChildProcess.Run(
            [options.Tool, .. command, .. options.Pass],
            Output,
            new Dictionary<string, string> { ["PASSPHRASE"] = Passphrase }
        );
        string? difference = usage.ExitCode != 0 ? Invariant($"it ended with {usage.ExitCode}") : findDifference();
        return difference is null
            ? new FetchRun(usage, server.BytesSent, server.Requests, server.Connections, server.DataShare)
            : throw new SuiteException(
                $"{string.Join(' ', command)}: {difference}.\n{await File.ReadAllTextAsync(Output)}"
            );
    }

    /// <summary>Generates the data with one additional small file, and backs it up.</summary>
    private async Task<PreparedSet> PrepareAsync(DataSet set, int blockBytes, int volumeBytes)
    {
        await log.WriteLineAsync($"{set.Name}: making {set.Files:N0} files and their backup");
        string source = Path.Combine(options.WorkFolder, set.Name, "source");
        string backup = Path.Combine(options.WorkFolder, set.Name, "backup");
        await PreparedSet.GenerateAsync(set, source, Output);
        byte[] small = new byte[SmallFileBytes];
        new Random64(set.Seed).Fill(small);
        await File.WriteAllBytesAsync(Path.Combine(source, SmallFile), small);
        File.SetLastWriteTimeUtc(Path.Combine(source, SmallFile), DataGenerator.TimeOf(set.Files));
        await PreparedSet.RunAsync(
            [
                .. Self.Command,
                "backup",
                source,
                backup,
                Invariant($"--block-size={blockBytes}"),
                Invariant($"--volume-size={volumeBytes}"),
                "--level=1",
                $"--passphrase={Passphrase}",
            ],
            Output
        );

        string[] files = [.. Enumerable.Range(0, set.Files).Select(i => DataGenerator.PathOf("", i)), SmallFile];
        return PreparedSet.Of(set, source, backup, files);
    }

    private string? FindDifference(PreparedSet set)
    {
        string[] found = Directory.Exists(Target) ? Directory.GetFiles(Target, "*", SearchOption.AllDirectories) : [];
        return found is not [var only] ? Invariant($"there are {found.Length} files instead of one")
            : File.ReadAllBytes(only).AsSpan().SequenceEqual(File.ReadAllBytes(Path.Combine(set.Source, SmallFile)))
                ? null
            : "it has another content";
    }

    private string[] Restore(string url, params string[] arguments) =>
        [url, .. arguments, $"--restore-path={Target}", "--quiet"];

    private static int Volumes(PreparedSet set, string kind) => Directory.GetFiles(set.Backup, $"*.{kind}.*").Length;

    private static long SizeOf(PreparedSet set, string kind) =>
        new DirectoryInfo(set.Backup).EnumerateFiles($"*.{kind}.*").Sum(file => file.Length);

    private static string Size(long bytes) => $"{Reporting.Units.Megabytes(bytes)} MB";
}
