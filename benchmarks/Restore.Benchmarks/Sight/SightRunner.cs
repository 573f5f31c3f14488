using System.Globalization;
using System.Text.Json;
using Restore.Benchmarks.Data;
using Restore.Benchmarks.Fetching;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Suite;
using static System.FormattableString;

namespace Restore.Benchmarks.Sight;

/// <summary>Makes the data and measures; each program is a process of its own.</summary>
internal sealed class SightRunner(SightOptions options, TextWriter log)
{
    private const int SmallFiles = 19_615;
    private const int SomeFiles = 1_000;
    private const int Neighbors = 50;
    private const int LargeFileBytes = 28_600_000;
    private const int OtherBytes = 35_000_000;
    private const double SlowLink = 2e6;
    private const string Large = "large.txt";
    private const string Other = "other.bin";
    private const int Terminate = 15;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan BeforeStop = TimeSpan.FromSeconds(8);
    private static readonly Dictionary<string, string> Variables = new() { ["PASSPHRASE"] = "benchmark" };

    private readonly Dictionary<string, SightFigure> figures = [];

    private string Target => Path.Combine(options.WorkFolder, "target");

    private string Output => Path.Combine(options.WorkFolder, "output.txt");

    public async Task<IReadOnlyList<SightFigure>> RunAsync()
    {
        Directory.CreateDirectory(options.WorkFolder);
        try
        {
            if (options.Only.Contains("mount") || options.Only.Contains("neighbors"))
            {
                await MeasureSmallAsync();
            }

            if (options.Only.Contains("one-file") || options.Only.Contains("stop") || options.Only.Contains("progress"))
            {
                await MeasureLargeAsync();
            }

            return [.. figures.Values];
        }
        finally
        {
            Directory.Delete(options.WorkFolder, recursive: true);
        }
    }

    private async Task MeasureSmallAsync()
    {
        DataSet set = DataSet.Named("many") with { Files = Scaled(SmallFiles) };
        string source = Path.Combine(options.WorkFolder, "small");
        string backup = Path.Combine(options.WorkFolder, "small-backup");
        await log.WriteLineAsync($"making {set.Files:N0} small files and their backup");
        await PreparedSet.GenerateAsync(set, source, Output);
        await BackUpAsync(source, backup);
        for (int run = 0; run < options.Runs; run++)
        {
            await log.WriteLineAsync($"small files, run {run + 1}");
            if (options.Only.Contains("mount"))
            {
                await MeasureMountAsync(source, backup, set.Files, "249 s, a restore 6 s");
                await MeasureMountAsync(source, backup, Math.Min(Scaled(SomeFiles), set.Files), "14 s, 3,600 MB read");
            }

            if (options.Only.Contains("neighbors"))
            {
                await MeasureNeighborsAsync(source, backup);
            }
        }
    }

    /// <summary>
    /// The sums of files through a new mount beside a restore of the same files, both with the
    /// start of the program.
    /// </summary>
    private async Task MeasureMountAsync(string source, string backup, int count, string before)
    {
        Clear(Target);
        string[] all =
        [
            .. Directory.EnumerateFiles(source, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal),
        ];
        string[] files = all[..count];
        string list = Path.Combine(options.WorkFolder, "files.txt");
        await File.WriteAllLinesAsync(list, files.Select(file => "@" + file));

        // A filter for each file would slow down the restore of all, which needs none.
        string[] selection = count < all.Length ? [$"--include-from={list}"] : [];
        Usage restore = Run([options.Tool, backup, .. selection, $"--restore-path={Target}", "--quiet"]);

        string mounted = Directory.CreateDirectory(Path.Combine(options.WorkFolder, "mount")).FullName;
        await File.WriteAllLinesAsync(list, files.Select(file => Path.Combine(mounted, "latest") + file));
        long start = TimeProvider.System.GetTimestamp();
        ChildProcess mount = ChildProcess.Start([options.Tool, "mount", backup, mounted], Output, Variables);
        await UntilAsync(() => File.ReadAllText("/proc/mounts").Contains(mounted, StringComparison.Ordinal));
        double startSeconds = TimeProvider.System.GetElapsedTime(start).TotalSeconds;
        Usage sums = ChildProcess.Run(
            ["/bin/sh", "-c", $"xargs -d '\\n' md5sum < '{list}' > /dev/null"],
            Output + ".sums"
        );
        Run(["umount", mounted], Output + ".sums");
        Usage whole = mount.Wait();
        Require(sums, Output + ".sums");
        string what = $"{count:N0} small files";
        Add($"{what}: restore", "s", "", "", restore.Wall.TotalSeconds);
        Add($"{what}: `md5sum` through the mount", "s", before, "", sums.Wall.TotalSeconds);
        Add($"{what}: the same with the start of the mount", "s", "", "", startSeconds + sums.Wall.TotalSeconds);
        Add(
            $"{what}: mount with its start / restore",
            "times",
            "",
            "at most 3",
            (startSeconds + sums.Wall.TotalSeconds) / restore.Wall.TotalSeconds
        );
        Add($"{what}: read by the mount, the whole backup has {Size(backup)} MB", "MB", "", "", whole.BytesRead / 1e6);
    }

    /// <summary>
    /// What a server sends for neighboring files that are read one after the other by the WebDAV of
    /// browse.
    /// </summary>
    private async Task MeasureNeighborsAsync(string source, string backup)
    {
        await using FolderServer server = new(backup, new Link(TimeSpan.FromMilliseconds(5), 100e6));
        ChildProcess browse = ChildProcess.Start([options.Tool, "browse", server.Url, "--json"], Output, Variables);
        try
        {
            await UntilAsync(() => File.ReadAllText(Output).Contains("webDav", StringComparison.Ordinal));
            using JsonDocument addresses = JsonDocument.Parse(
                (await File.ReadAllLinesAsync(Output)).First(line => line.StartsWith('{'))
            );
            string address = addresses.RootElement.GetProperty("webDav").GetString()!.TrimEnd('/');
            long before = server.BytesSent;
            string[] files =
            [
                .. Directory
                    .EnumerateFiles(Path.Combine(source, "d00", "s00"))
                    .Order(StringComparer.Ordinal)
                    .Take(Neighbors),
            ];
            using HttpClient client = new();
            long bytes = 0;
            long start = TimeProvider.System.GetTimestamp();
            foreach (string file in files)
            {
                byte[] content = await client.GetByteArrayAsync(new Uri($"{address}/latest{file}"));
                byte[] expected = await File.ReadAllBytesAsync(file);
                bytes += content.AsSpan().SequenceEqual(expected)
                    ? content.Length
                    : throw new SuiteException($"{file} differs");
            }

            string what = $"{files.Length} neighbors ({bytes / 1e3:F0} kB) by WebDAV, the backup on a server";
            Add($"{what}: sent by the server", "MB", "184", "at most 2", (server.BytesSent - before) / 1e6);
            Add($"{what}: time", "s", "", "", TimeProvider.System.GetElapsedTime(start).TotalSeconds);
        }
        finally
        {
            browse.Signal(Terminate);
            browse.Wait();
        }
    }

    private async Task MeasureLargeAsync()
    {
        string source = Directory.CreateDirectory(Path.Combine(options.WorkFolder, "large")).FullName;
        string backup = Path.Combine(options.WorkFolder, "large-backup");
        Random64 random = new(7);
        TextPool text = new(random);
        await WriteAsync(
            Path.Combine(source, Large),
            Scaled(LargeFileBytes),
            piece => DataGenerator.Fill(piece, isZero: false, text, random, ContentKind.Text)
        );
        await WriteAsync(Path.Combine(source, Other), Scaled(OtherBytes), piece => random.Fill(piece));
        await BackUpAsync(source, backup, "--block-size=102400");
        long volume = new DirectoryInfo(backup).EnumerateFiles("*.dblock.*").Max(file => file.Length);
        for (int run = 0; run < options.Runs; run++)
        {
            await log.WriteLineAsync($"large files, run {run + 1}");
            if (options.Only.Contains("one-file"))
            {
                await MeasureOneFileAsync(backup, volume);
            }

            if (options.Only.Contains("stop"))
            {
                await MeasureStopAsync(backup);
            }

            if (options.Only.Contains("progress"))
            {
                await MeasureProgressAsync(backup);
            }
        }
    }

    private async Task MeasureOneFileAsync(string backup, long volume)
    {
        foreach ((string reads, string before) in new[] { ("auto", "52.4"), ("always", "14.1") })
        {
            Clear(Target);
            await using FolderServer server = new(backup, new Link(TimeSpan.FromMilliseconds(20), 100e6));
            Usage usage = Run([
                options.Tool,
                server.Url,
                $"*/{Large}",
                $"--restore-path={Target}",
                $"--range-reads={reads}",
                "--quiet",
            ]);
            string what = Invariant(
                $"one file of {Scaled(LargeFileBytes) / 1e6:F1} MB in a volume of {volume / 1e6:F1} MB, `--range-reads={reads}`"
            );
            Add($"{what}: fetched", "MB", before, "", server.BytesSent / 1e6);
            Add($"{what}: time", "s", "", "", usage.Wall.TotalSeconds);
        }
    }

    private async Task MeasureStopAsync(string backup)
    {
        Clear(Target);
        await using FolderServer server = new(backup, new Link(TimeSpan.FromMilliseconds(20), SlowLink));
        ChildProcess restore = ChildProcess.Start(
            [options.Tool, server.Url, $"--restore-path={Target}", "--quiet"],
            Output,
            Variables
        );
        await Task.Delay(BeforeStop, TimeProvider.System);
        long start = TimeProvider.System.GetTimestamp();
        restore.Signal(Terminate);
        Usage usage = restore.Wait();
        Add(
            "from SIGTERM to the end of a restore at 2 MB/s",
            "s",
            "75",
            "at most 3",
            TimeProvider.System.GetElapsedTime(start).TotalSeconds
        );
        if (usage.ExitCode != 130)
        {
            throw new SuiteException(
                $"The restore was to be interrupted, and ended with {usage.ExitCode}.\n{await File.ReadAllTextAsync(Output)}"
            );
        }
    }

    /// <summary>
    /// What the progress, once a second, says about a restore whose volume comes at 2 MB/s.
    /// </summary>
    private async Task MeasureProgressAsync(string backup)
    {
        Clear(Target);
        await using FolderServer server = new(backup, new Link(TimeSpan.FromMilliseconds(20), SlowLink));
        Usage usage = Run([options.Tool, server.Url, $"--restore-path={Target}", "--json"]);
        (double At, double Fetched, double ToFetch, double? Left)[] status =
        [
            .. (await File.ReadAllLinesAsync(Output))
                .Where(line => line.Contains("\"status\"", StringComparison.Ordinal))
                .Select(line =>
                {
                    using JsonDocument document = JsonDocument.Parse(line);
                    JsonElement root = document.RootElement;
                    return (
                        Of(root, "seconds_elapsed") ?? 0,
                        Of(root, "bytes_fetched") ?? 0,
                        Of(root, "bytes_to_fetch") ?? 0,
                        Of(root, "seconds_remaining")
                    );
                })
                .Where(line => line.Item3 > 0),
        ];
        int first = Array.FindIndex(status, line => line.Fetched > 0);
        double still = 0,
            moved = status[Math.Max(first, 0)].At;
        for (int i = Math.Max(first, 0) + 1; i < status.Length; i++)
        {
            bool hasMoved = status[i].Fetched > status[i - 1].Fetched || status[i].Fetched >= status[i].ToFetch;
            still = hasMoved ? still : Math.Max(still, status[i].At - moved);
            moved = hasMoved ? status[i].At : moved;
        }

        (double at, double fetched, double toFetch, double? left) = status.First(line =>
            line.Fetched >= line.ToFetch / 2
        );
        Add("progress at 2 MB/s: first bytes shown after the start", "s", "", "", status[Math.Max(first, 0)].At);
        Add("progress at 2 MB/s: longest time without a change while bytes come", "s", "some 30", "", still);
        Add(
            "progress at 2 MB/s: time left, said in the middle / real",
            "times",
            "",
            "1",
            (left ?? 0) / (usage.Wall.TotalSeconds - at)
        );
        Require(usage, Output);
    }

    private static double? Of(JsonElement line, string name) =>
        line.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.Number
            ? value.GetDouble()
            : null;

    private async Task BackUpAsync(string source, string backup, params string[] more) =>
        await PreparedSet.RunAsync(
            [.. Self.Command, "backup", source, backup, "--passphrase=benchmark", .. more],
            Output
        );

    private static async Task WriteAsync(string path, int length, Action<byte[]> fill)
    {
        byte[] piece = new byte[100 << 10];
        await using FileStream file = File.Create(path);
        for (int left = length; left > 0; left -= piece.Length)
        {
            fill(piece);
            await file.WriteAsync(piece.AsMemory(0, Math.Min(piece.Length, left)));
        }
    }

    private Usage Run(IReadOnlyList<string> command, string? output = null)
    {
        Usage usage = ChildProcess.Run(command, output ?? Output, Variables);
        Require(usage, output ?? Output);
        return usage;
    }

    private static void Require(Usage usage, string output)
    {
        if (usage.ExitCode != 0)
        {
            throw new SuiteException($"A program ended with {usage.ExitCode}.\n{File.ReadAllText(output)}");
        }
    }

    private void Add(string what, string unit, string before, string goal, double value)
    {
        if (!figures.TryGetValue(what, out SightFigure? figure))
        {
            figures.Add(what, figure = new SightFigure(what, unit, before, goal));
        }

        figure.Values.Add(value);
    }

    private int Scaled(int number) => Math.Max(1, (int)(number * options.Scale));

    private static string Size(string backup) =>
        (new DirectoryInfo(backup).EnumerateFiles().Sum(file => file.Length) / 1e6).ToString(
            "F1",
            CultureInfo.InvariantCulture
        );

    private static void Clear(string folder)
    {
        if (Directory.Exists(folder))
        {
            Directory.Delete(folder, recursive: true);
        }

        Machine.Sync();
    }

    private static async Task UntilAsync(Func<bool> isSo)
    {
        using CancellationTokenSource limit = new(Patience);
        while (!isSo())
        {
            await Task.Delay(TimeSpan.FromMilliseconds(10), TimeProvider.System, limit.Token);
        }
    }
}
