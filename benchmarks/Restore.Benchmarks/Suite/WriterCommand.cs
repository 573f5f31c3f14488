using System.Globalization;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;
using Restore.Benchmarks.Data;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Reporting;
using Restore.Compression;
using Restore.Compression.Methods;

namespace Restore.Benchmarks.Suite;

/// <summary>
/// Is a backup written as fast as its data can be compressed and hashed? Takes turns between the writer and a plain loop on all cores that reads each file,
/// compresses each block with the same library and level, and hashes blocks and files; it encrypts nothing and writes nothing. Each run is its own process.
/// </summary>
internal static class WriterCommand
{
    private const string LoopName = "loop";

    public static async Task<int> RunAsync(Arguments arguments, TextWriter result)
    {
        double scale = arguments.Number("scale") ?? 1;
        int runs = arguments.Runs(5);
        string[] passphrase = arguments.Passphrase() is { } given ? [$"--passphrase={given}"] : [];
        DataSet[] sets = [.. arguments.List("sets", "small-random,small-text").Select(name => DataSet.Named(name).Scale(scale))];
        string work = arguments.WorkFolder("restore-benchmarks");
        arguments.RequireAllUsed();
        await result.WriteLineAsync("| set | MB | backup, s | loop, s | backup, CPU s | loop, CPU s | ratio of wall times |");
        await result.WriteLineAsync("|---|---:|---:|---:|---:|---:|---:|");
        foreach (DataSet set in sets)
        {
            string folder = Path.Combine(work, set.Name);
            try
            {
                await result.WriteLineAsync(await MeasureAsync(set, folder, passphrase, runs));
            }
            finally
            {
                Directory.Delete(folder, recursive: true);
            }
        }

        return 0;
    }

    /// <summary>The plain loop, in this process.</summary>
    public static int Loop(Arguments arguments)
    {
        string source = arguments.Positional(0, "the folder to read");
        int blockBytes = (int)(arguments.Number("block-size") ?? 1 << 20);
        int level = (int)(arguments.Number("level") ?? 6);
        arguments.RequireAllUsed();
        Codecs codecs = new();
        long compressed = 0;
        ParallelOptions allCores = new() { MaxDegreeOfParallelism = Environment.ProcessorCount };
        Parallel.ForEach(
            Directory.GetFiles(source, "*", SearchOption.AllDirectories),
            allCores,
            () => new Worker(codecs, blockBytes, level),
            (file, _, worker) =>
            {
                worker.Take(file);
                return worker;
            },
            worker =>
            {
                Interlocked.Add(ref compressed, worker.CompressedBytes);
                worker.Dispose();
            });
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{compressed:N0} bytes after compression"));
        return 0;
    }

    private static async Task<string> MeasureAsync(DataSet set, string folder, string[] passphrase, int runs)
    {
        string source = Path.Combine(folder, "source");
        string backup = Path.Combine(folder, "backup");
        string output = Path.Combine(folder, "output.txt");
        Directory.CreateDirectory(folder);
        await PreparedSet.GenerateAsync(set, source, output);
        List<Usage> writer = [];
        List<Usage> loop = [];

        // Round 0 warms up; after that the order changes from round to round.
        for (int round = 0; round <= runs; round++)
        {
            foreach (bool isWriter in round % 2 == 0 ? new[] { true, false } : [false, true])
            {
                Machine.Sync();
                Usage usage = isWriter
                    ? await PreparedSet.RunAsync([.. Self.Command, "backup", source, backup, .. passphrase], output)
                    : await PreparedSet.RunAsync([.. Self.Command, LoopName, source], output);
                if (isWriter)
                {
                    Directory.Delete(backup, recursive: true);
                }

                if (round > 0)
                {
                    (isWriter ? writer : loop).Add(usage);
                }
            }
        }

        double megabytes = Directory.EnumerateFiles(source, "*", SearchOption.AllDirectories).Sum(file => new FileInfo(file).Length) / 1e6;
        double ratio = Wall(writer).Median / Wall(loop).Median;
        return string.Create(
            CultureInfo.InvariantCulture,
            $"| {set.Name} | {megabytes:F0} | {Units.Seconds(Wall(writer))} | {Units.Seconds(Wall(loop))} | "
            + $"{Units.Seconds(Processor(writer))} | {Units.Seconds(Processor(loop))} | {ratio:F2} |");
    }

    private static Spread Wall(IEnumerable<Usage> runs) => Spread.Of(runs.Select(run => run.Wall.TotalSeconds));

    private static Spread Processor(IEnumerable<Usage> runs) => Spread.Of(runs.Select(run => (run.User + run.System).TotalSeconds));

    /// <summary>What one thread of the loop uses again and again.</summary>
    private sealed class Worker(Codecs codecs, int blockBytes, int level) : IDisposable
    {
        private readonly IDeflater deflater = codecs.CreateDeflater(level);
        private readonly IncrementalHash fileHash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        private readonly byte[] block = new byte[blockBytes];
        private readonly byte[] compressed = new byte[blockBytes];
        private readonly byte[] hash = new byte[SHA256.HashSizeInBytes];

        public long CompressedBytes { get; private set; }

        public void Take(string path)
        {
            using SafeFileHandle file = File.OpenHandle(path, options: FileOptions.SequentialScan);
            long offset = 0;
            int read;
            while ((read = RandomAccess.Read(file, block, offset)) > 0)
            {
                ReadOnlySpan<byte> bytes = block.AsSpan(0, read);
                SHA256.HashData(bytes, hash);
                fileHash.AppendData(bytes);
                int length = deflater.Deflate(bytes, compressed.AsSpan(0, read - 1));
                CompressedBytes += length > 0 ? length : read;
                offset += read;
            }

            fileHash.GetHashAndReset();
        }

        public void Dispose()
        {
            deflater.Dispose();
            fileHash.Dispose();
        }
    }
}
