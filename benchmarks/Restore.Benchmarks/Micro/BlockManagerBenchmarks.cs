using System.Text;
using BenchmarkDotNet.Attributes;
using Restore.Benchmarks.Data;
using Restore.Catalog;
using Restore.Csp;
using Restore.Format;
using Restore.Memory;
using Restore.Planning;
using Restore.Planning.Paths;
using Restore.Reading;
using Restore.Reporting;
using Restore.Restoring;
using Restore.Volumes;

namespace Restore.Benchmarks.Micro;

/// <summary>
/// What does a block cost the one process that all blocks pass? Only BlockManager runs: its input
/// is there before, and its output is read afterwards (both included: some ns). It limits a restore
/// on many cores.
/// </summary>
public class BlockManagerBenchmarks
{
    private const int Blocks = 100_000;
    private const int BatchBlocks = 256;
    private const int LengthBytes = 1024;

    private readonly BufferPool pool = new();
    private readonly VolumeTally tally = new(new ProgressMeter(TimeProvider.System));
    private readonly Random64 random = new(1);
    private PassPlan? plan;

    /// <summary>1 is a backup of tiny files.</summary>
    [Params(1, 100)]
    public int BlocksOfFile { get; set; }

    [Params(2, 64)]
    public int FileProcessors { get; set; }

    [GlobalSetup]
    public void Plan()
    {
        BlockLayout layout = new(LengthBytes, HashKind.Sha256, HashKind.Sha256);
        VersionContent version = new(new BackupVersion(0, DateTimeOffset.UnixEpoch, "list"), layout);
        for (int file = 0; file < Blocks / BlocksOfFile; file++)
        {
            ContentId content = AddContent(version);
            version.AddEntry(
                Encoding.UTF8.GetBytes($"/{file / 100}/{file}"),
                EntryKind.File,
                content,
                ContentId.None,
                0
            );
        }

        EntryPlans.Builder entries = new(
            version,
            new PathMap(PathStyle.Unix, TargetRules.Unix, prefixLength: 1, toOriginalPlaces: false)
        );
        for (int entry = 0; entry < entries.Count; entry++)
        {
            entries[new EntryId(entry)] = EntryAction.Create;
        }

        EntryParts[] parts = new EntryParts[entries.Count];
        parts.AsSpan().Fill(EntryParts.Finish | EntryParts.Content);
        version.Blocks.Freeze();
        Volume volume = new(new VolumeId(0), default, 1 << 20);
        plan = new PassPlan(
            entries.Build(),
            parts,
            new Locations(new VolumeId[version.Blocks.Count], [], [], []),
            [volume],
            leavesBlocksToFiles: true
        );
    }

    [Benchmark(OperationsPerInvoke = Blocks)]
    public async Task Distribute()
    {
        Channel<BlocksExtracted> input = new("BlocksExtracted", (Blocks / BatchBlocks) + 1);
        using IReadChannelEnd<BlocksExtracted> from = input.Reader();
        await FillAsync(input);
        Channel<FileWork>[] outputs =
        [
            .. Enumerable.Range(0, FileProcessors).Select(_ => new Channel<FileWork>("FileWork", Blocks)),
        ];
        IReadChannelEnd<FileWork>[] readers = [.. outputs.Select(output => output.Reader())];
        IWriteChannelEnd<FileWork>[] writers = [.. outputs.Select(output => output.Writer())];
        using (BlockReferences lives = new(plan!, new BlockStore(long.MaxValue, pool), evictPercent: 50))
        using (WorkBatches work = new(new EntryOwners(plan!, FileProcessors), writers))
        {
            await new BlockManager(plan!, lives, work, tally).RunAsync(from);
        }

        Array.ForEach(writers, writer => writer.Dispose());
        int items = 0;
        foreach (IReadChannelEnd<FileWork> reader in readers)
        {
            await foreach (FileWork work in reader.ReadAllAsync())
            {
                items += work.Count;
                work.Dispose();
            }

            reader.Dispose();
        }

        if (items != Blocks + (Blocks / BlocksOfFile) || pool.OutstandingBuffers != 0)
        {
            throw new InvalidOperationException("A block was lost.");
        }
    }

    private async Task FillAsync(Channel<BlocksExtracted> input)
    {
        using IWriteChannelEnd<BlocksExtracted> to = input.Writer();
        for (int first = 0; first < Blocks; first += BatchBlocks)
        {
            BlocksExtracted batch = new(plan!.Fetch.Volumes[0]);
            int count = Math.Min(BatchBlocks, Blocks - first);
            PooledBuffer buffer = pool.Rent(LengthBytes);
            buffer.AddUsers(count - 1);
            for (int block = first; block < first + count; block++)
            {
                batch.Add(new BlockBytes(new BlockId(block), buffer, 0, LengthBytes, IsShared: true));
            }

            await to.WriteAsync(batch);
        }
    }

    private ContentId AddContent(VersionContent version)
    {
        byte[] hash = new byte[32];
        random.Fill(hash);
        ContentId id = version.AddContent((long)BlocksOfFile * LengthBytes, hash);
        BlockId[] blocks = new BlockId[BlocksOfFile];
        for (int i = 0; i < blocks.Length; i++)
        {
            random.Fill(hash);
            blocks[i] = new BlockId(version.Blocks.GetOrAdd(hash, LengthBytes));
        }

        if (!version.HasSequence(id))
        {
            version.AddSequence(id);
        }

        for (int i = 0; i < blocks.Length; i++)
        {
            version.SetBlock(id, i, blocks[i]);
        }

        return id;
    }
}
