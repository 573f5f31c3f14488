using System.Text;
using BenchmarkDotNet.Attributes;
using Restore.Format;

namespace Restore.Benchmarks.Micro;

/// <summary>
/// What does an entry of a file list cost, and an entry of an index, and do they allocate?
/// </summary>
public class FileListBenchmarks
{
    private const int Entries = 10_000;

    private static readonly BlockLayout Layout = new(1 << 20, HashKind.Sha256, HashKind.Sha256);

    private readonly Counter counter = new();
    private byte[] fileList = [];
    private byte[] index = [];

    [GlobalSetup]
    public void Setup()
    {
        using MemoryStream list = new();
        using MemoryStream volume = new();
        FileListWriter files = new(list, Layout);
        IndexVolumeWriter blocks = new(volume);
        byte[] hash = new byte[32];
        for (int i = 0; i < Entries; i++)
        {
            BitConverter.TryWriteBytes(hash, i);
            files.Add(
                new FileListEntry
                {
                    Kind = EntryKind.File,
                    Path = Encoding.UTF8.GetBytes($"/home/somebody/documents/folder{i % 100}/file number {i}.txt"),
                    Hash = hash,
                    SizeBytes = i,
                    TimeTicks = DateTime.UnixEpoch.Ticks,
                    MetaHash = hash,
                    MetaSizeBytes = 190,
                }
            );
            blocks.Add(hash, i);
        }

        files.Finish();
        blocks.Finish(hash, 1);
        fileList = list.ToArray();
        index = volume.ToArray();
    }

    [Benchmark(OperationsPerInvoke = Entries)]
    public long ParseFileList()
    {
        counter.Count = 0;
        FileListReader.Read(new MemoryStream(fileList), counter, Layout, CancellationToken.None);
        return counter.Count == Entries
            ? counter.Count
            : throw new InvalidOperationException($"Found {counter.Count} entries.");
    }

    [Benchmark(OperationsPerInvoke = Entries)]
    public long ParseIndex()
    {
        counter.Count = 0;
        IndexVolumeReader.ReadBlocks(new MemoryStream(index), counter, Layout);
        return counter.Count == Entries
            ? counter.Count
            : throw new InvalidOperationException($"Found {counter.Count} blocks.");
    }

    private sealed class Counter : IFileListSink, IIndexSink
    {
        public long Count { get; set; }

        public void Entry(in FileListEntry entry) => Count++;

        public void Unusable(string path, string reason) => throw new InvalidOperationException(reason);

        public void Block(ReadOnlySpan<byte> hash, long sizeBytes) => Count++;
    }
}
