using Restore.Benchmarks.Data;
using Restore.Benchmarks.Measuring;

namespace Restore.Benchmarks.Suite;

/// <summary>A data set on disk with its backup.</summary>
internal sealed record PreparedSet
{
    public required DataSet Set { get; init; }

    /// <summary>The folder with the data.</summary>
    public required string Source { get; init; }

    /// <summary>The folder with the backup.</summary>
    public required string Backup { get; init; }

    /// <summary>Relative paths of the files, in the order of their creation.</summary>
    public required IReadOnlyList<string> Files { get; init; }

    public required long Bytes { get; init; }

    public required long LargestBytes { get; init; }

    public required long BackupBytes { get; init; }

    /// <summary>
    /// Generates the data and backs it up, in separate processes: Linux counts the memory of the
    /// parent into the peak of a child, so this process must stay small.
    /// </summary>
    /// <param name="set">What to generate.</param>
    /// <param name="options">Where, and whether the backup is encrypted.</param>
    /// <param name="backup">More arguments for the command that makes the backup.</param>
    public static async Task<PreparedSet> MakeAsync(DataSet set, SuiteOptions options, IReadOnlyList<string> backup)
    {
        string source = Path.Combine(options.WorkFolder, set.Name, "source");
        string made = Path.Combine(options.WorkFolder, set.Name, "backup" + string.Concat(backup));
        if (Directory.Exists(made))
        {
            // Left by an interrupted run; its data is generated again as well.
            Directory.Delete(made, recursive: true);
        }

        string output = Path.Combine(options.WorkFolder, "prepare.txt");
        string[] passphrase = options.Passphrase is null ? [] : ["--passphrase", options.Passphrase];
        await GenerateAsync(set, source, output);
        await RunAsync([.. Self.Command, "backup", source, made, .. backup, .. passphrase], output);

        string[] files = [.. Enumerable.Range(0, set.Files).Select(i => DataGenerator.PathOf("", i))];
        return Of(set, source, made, files);
    }

    /// <summary>Generates the data.</summary>
    public static Task GenerateAsync(DataSet set, string folder, string output) =>
        RunAsync([.. Self.Command, "generate", folder, .. set.ToArguments()], output);

    /// <summary>What is on the disk.</summary>
    public static PreparedSet Of(DataSet set, string source, string backup, IReadOnlyList<string> files)
    {
        long[] sizes = [.. files.Select(file => new FileInfo(Path.Combine(source, file)).Length)];
        return new PreparedSet
        {
            Set = set,
            Source = source,
            Backup = backup,
            Files = files,
            Bytes = sizes.Sum(),
            LargestBytes = sizes.Max(),
            BackupBytes = new DirectoryInfo(backup).EnumerateFiles().Sum(file => file.Length),
        };
    }

    /// <summary>Reads everything once, so that no run is the first to do so.</summary>
    public void Warm()
    {
        byte[] buffer = new byte[1 << 20];
        foreach (
            string file in Directory.EnumerateFiles(Backup).Concat(Files.Select(file => Path.Combine(Source, file)))
        )
        {
            using FileStream stream = new(file, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0);
            while (stream.Read(buffer) > 0)
            {
                // Reads it into the page cache.
            }
        }
    }

    /// <summary>Runs a step of the preparation.</summary>
    public static async Task<Usage> RunAsync(IReadOnlyList<string> command, string output)
    {
        Usage usage = ChildProcess.Run(command, output);
        return usage.ExitCode == 0
            ? usage
            : throw new SuiteException(
                $"{string.Join(' ', command)} ended with {usage.ExitCode}.\n{await File.ReadAllTextAsync(output)}"
            );
    }
}
