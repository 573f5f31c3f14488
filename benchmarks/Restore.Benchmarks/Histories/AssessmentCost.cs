using System.IO.Compression;
using System.Text;
using Restore.Benchmarks.Measuring;
using Restore.Tests.Assessment;
using static System.FormattableString;

namespace Restore.Benchmarks.Histories;

/// <summary>
/// Measures what an assessment costs beside reading the lists that it is made of: made file lists
/// without volumes, each command in a process of its own.
/// </summary>
internal static class AssessmentCost
{
    private const int Runs = 3;
    private const int FilesOfFolder = 40;
    private const double ChangedShare = 0.004;

    private static readonly string[] Types = ["odt", "pdf", "jpg", "txt", "cs", "mp3"];

    public static async Task MeasureAsync(StringBuilder text, int versions, int entries, int seed, TextWriter log)
    {
        string folder = Directory.CreateTempSubdirectory("restore-benchmarks-lists").FullName;
        try
        {
            string store = Path.Combine(folder, "store");
            Directory.CreateDirectory(store);
            await WriteListsAsync(store, versions, entries, seed);
            string output = Path.Combine(folder, "output");
            string[] read = [.. Self.Command, "histories", "--read-lists", store];
            string[] assess = [Self.Tool, "assess", store, "--json"];

            // The lists are in the page cache from the first run on.
            Run(read, output);
            Run(assess, output);
            Usage[] reading = [.. Enumerable.Range(0, Runs).Select(_ => Run(read, output))];
            Usage[] assessing = [.. Enumerable.Range(0, Runs).Select(_ => Run(assess, output))];
            await log.WriteLineAsync(await File.ReadAllTextAsync(output));
            (double readSeconds, double assessSeconds) = (Median(reading), Median(assessing));
            text.AppendLine("## Cost").AppendLine();
            text.AppendLine(
                    Invariant(
                        $"{versions} versions of {entries:N0} files; median of {Runs} runs, lists in the page cache."
                    )
                )
                .AppendLine();
            text.AppendLine("| | seconds | peak of memory |").AppendLine("|---|---:|---:|");
            text.AppendLine(Row("the lists read, nothing done with them", readSeconds, reading));
            text.AppendLine(Row("`assess`", assessSeconds, assessing));
            text.AppendLine(Invariant($"| ratio | {assessSeconds / readSeconds:F2} | |")).AppendLine();
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    /// <summary>Reads all lists of a backup and does nothing with them.</summary>
    public static async Task ReadAsync(string store)
    {
        await using Backup backup = await Backup.OpenAsync(store, new BackupOptions());
        foreach (BackupVersion version in backup.Versions.Reverse())
        {
            await backup.ReadListAsync(version, _ => { });
        }
    }

    private static Usage Run(string[] command, string output)
    {
        Usage usage = ChildProcess.Run(command, output);
        return usage.ExitCode == 0
            ? usage
            : throw new UsageException($"{command[0]} failed: {File.ReadAllText(output)}");
    }

    private static double Median(Usage[] runs) => runs.Select(run => run.Wall.TotalSeconds).Order().ElementAt(Runs / 2);

    private static string Row(string what, double seconds, Usage[] runs) =>
        Invariant($"| {what} | {seconds:F2} | {runs.Max(run => run.PeakBytes) / 1048576.0:F0} MiB |");

    private static async Task WriteListsAsync(string store, int versions, int entries, int seed)
    {
        MadeTree tree = new(seed);
        for (int n = 0; n < entries; n++)
        {
            tree.Add(
                $"/home/ann/part {n / 4000}/folder {n / FilesOfFolder}/{tree.Word(9)} {n}.{Types[n % Types.Length]}",
                tree.Size(40_000)
            );
        }

        for (int version = 0; version < versions; version++)
        {
            tree.Day = version;
            if (version > 0)
            {
                foreach (string path in tree.Pick(ChangedShare))
                {
                    tree.Change(path, tree.Edited(tree.Files[path].SizeBytes));
                }

                foreach (string path in tree.Pick(ChangedShare / 4))
                {
                    tree.Files.Remove(path);
                    tree.Add($"{path[..path.LastIndexOf('/')]}/{tree.Word()}.odt", tree.Size(40_000));
                }
            }

            DateTime time = new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddDays(version);
            await WriteListAsync(
                Path.Combine(store, Invariant($"duplicati-{time:yyyyMMdd'T'HHmmss'Z'}.dlist.zip")),
                tree
            );
        }
    }

    private static async Task WriteListAsync(string path, MadeTree tree)
    {
        await using FileStream file = File.Create(path);
        using ZipArchive zip = new(file, ZipArchiveMode.Create);
        await WriteAsync(
            zip,
            "manifest",
            "{\"Version\":2,\"Created\":\"20260101T000000Z\",\"Encoding\":\"utf8\",\"Blocksize\":102400,\"BlockHash\":\"SHA256\","
                + "\"FileHash\":\"SHA256\",\"AppVersion\":\"2.1.0.0\"}"
        );
        await WriteAsync(zip, "fileset", "{\"IsFullBackup\":true}");
        StringBuilder list = new("[");
        tree.Pass(entry =>
            list.Append(list.Length > 1 ? "," : "")
                .Append(
                    Invariant(
                        $"{{\"type\":\"File\",\"path\":\"{Encoding.UTF8.GetString(entry.Path)}\","
                    )
                )
                .Append(
                    Invariant(
                        $"\"hash\":\"{Convert.ToBase64String(entry.Hash)}\",\"size\":{entry.SizeBytes},"
                    )
                )
                .Append(
                    Invariant(
                        $"\"time\":\"{entry.LastModified:yyyyMMdd'T'HHmmss'Z'}\",\"metahash\":\"{Convert.ToBase64String(entry.Hash)}\",\"metasize\":137}}"
                    )
                )
        );
        await WriteAsync(zip, "filelist.json", list.Append(']').ToString());
    }

    private static async Task WriteAsync(ZipArchive zip, string name, string text)
    {
        await using Stream stream = await zip.CreateEntry(name).OpenAsync();
        await stream.WriteAsync(Encoding.UTF8.GetBytes(text));
    }
}
