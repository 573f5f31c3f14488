using System.Globalization;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;
using Restore.Compression;
using Restore.Compression.Methods;

namespace Restore.Benchmarks.Suite;

/// <summary>
/// The yardstick of the writer: a plain loop on all cores that reads each file, compresses each
/// block with the library and level of the writer, and hashes blocks and files. It encrypts nothing
/// and writes nothing.
/// </summary>
internal static class LoopCommand
{
    public static int Run(Arguments arguments)
    {
        string source = arguments.Positional(0, "the folder to read");
        int blockBytes = (int)(arguments.Number("block-size") ?? 1 << 20);
        int level = (int)(arguments.Number("level") ?? 6);
        bool compresses = arguments.Text("compress") is null or "yes";
        arguments.RequireAllUsed();
        Codecs codecs = new();
        long compressed = 0;
        ParallelOptions allCores = new() { MaxDegreeOfParallelism = Environment.ProcessorCount };
        Parallel.ForEach(
            Directory.GetFiles(source, "*", SearchOption.AllDirectories),
            allCores,
            () => new Worker(compresses ? codecs.CreateDeflater(level) : null, blockBytes),
            (file, _, worker) =>
            {
                worker.Take(file);
                return worker;
            },
            worker =>
            {
                Interlocked.Add(ref compressed, worker.CompressedBytes);
                worker.Dispose();
            }
        );
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{compressed:N0} bytes after compression"));
        return 0;
    }

    /// <summary>What one thread of the loop uses again and again.</summary>
    private sealed class Worker(IDeflater? deflater, int blockBytes) : IDisposable
    {
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
                int length = deflater?.Deflate(bytes, compressed.AsSpan(0, read - 1)) ?? 0;
                CompressedBytes += length > 0 ? length : read;
                offset += read;
            }

            fileHash.GetHashAndReset();
        }

        public void Dispose()
        {
            deflater?.Dispose();
            fileHash.Dispose();
        }
    }
}
