using BenchmarkDotNet.Attributes;
using Restore.Compression;
using Restore.Compression.Zip;
using Restore.Format;
using Restore.Memory;

namespace Restore.Benchmarks.Micro;

/// <summary>
/// What does an entry of a volume cost before a byte of it is decoded: opening the archive, walking
/// its directory, decoding the names?
/// </summary>
public class ZipDirectoryBenchmarks
{
    private const int Entries = 10_000;

    private readonly Codecs codecs = new();
    private byte[] archive = [];

    [GlobalSetup]
    public void Setup()
    {
        BufferPool pool = new();
        using PooledOutput output = new(pool, 4 << 20);
        using ZipWriter writer = new(output, pool, DateTimeOffset.UnixEpoch);
        byte[] hash = new byte[32];
        byte[] name = new byte[BlockName.MaxLengthBytes];
        for (int i = 0; i < Entries; i++)
        {
            BitConverter.TryWriteBytes(hash, i);
            writer.AddStored(name.AsSpan(0, BlockName.Encode(hash, name)), hash);
        }

        writer.Finish();
        archive = output.Written.ToArray();
    }

    [Benchmark(OperationsPerInvoke = Entries)]
    public int Walk()
    {
        using Archive opened = ArchiveReader.Open(ArchiveKind.Zip, archive, codecs);
        Span<byte> hash = stackalloc byte[HashKinds.MaxLengthBytes];
        int found = 0;
        while (opened.MoveNext(out ArchiveEntry entry))
        {
            found += BlockName.TryDecode(opened.NameOf(entry), hash, out _) ? 1 : 0;
        }

        return found == Entries ? found : throw new InvalidOperationException($"Found {found} entries.");
    }
}
