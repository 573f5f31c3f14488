using Restore.Catalog;
using Restore.Csp;
using Restore.Memory;
using Restore.Planning;
using Restore.Reading;
using Restore.Restoring;
using Restore.Tests.Csp;

namespace Restore.Tests.Restoring;

/// <summary>
/// One process, fed with batches of blocks; its output is read from the input of the
/// FileProcessors.
/// </summary>
public sealed class BlockManagerTests : IDisposable
{
    private const int BlockSizeBytes = MadeVersion.BlockSizeBytes;

    private readonly BufferPool pool = new();
    private readonly VolumeTally tally = new(new ProgressMeter(TimeProvider.System));
    private long peakStoreBytes;

    [Fact]
    public async Task Blocks_that_come_in_order_are_given_in_order_and_the_file_is_finished()
    {
        byte[] content = MadeVersion.Content(1, 3 * BlockSizeBytes);
        Assert.Equal(
            ["Block 0.0", "Block 0.1", "Block 0.2", "Finish 0"],
            await RunAsync(
                MadeVersion.PlanToCreate(("a", content)),
                [
                    [0, 1, 2],
                ]
            )
        );
        Assert.Equal(0, peakStoreBytes);
    }

    [Theory]
    [InlineData(new[] { 2, 1, 0 })]
    [InlineData(new[] { 1, 2, 0 })]
    public async Task A_block_that_comes_before_its_turn_waits_for_it(int[] order)
    {
        byte[] content = MadeVersion.Content(1, 3 * BlockSizeBytes);
        Assert.Equal(
            ["Block 0.0", "Block 0.1", "Block 0.2", "Finish 0"],
            await RunAsync(MadeVersion.PlanToCreate(("a", content)), [.. order.Select(block => new[] { block })])
        );
        Assert.Equal(2 * BlockSizeBytes, peakStoreBytes);
    }

    [Fact]
    public async Task A_block_that_a_file_has_twice_is_given_for_both_places()
    {
        byte[] block = MadeVersion.Content(1, BlockSizeBytes);
        byte[] other = MadeVersion.Content(2, BlockSizeBytes);
        PassPlan plan = MadeVersion.PlanToCreate(("a", [.. block, .. other, .. block]));
        Assert.Equal(
            ["Block 0.0", "Block 0.1", "Block 0.2", "Finish 0"],
            await RunAsync(
                plan,
                [
                    [0],
                    [1],
                ]
            )
        );
    }

    [Fact]
    public async Task A_block_that_several_files_need_goes_to_each_of_them()
    {
        byte[] content = MadeVersion.Content(1, BlockSizeBytes);
        PassPlan plan = MadeVersion.PlanToCreate(("a", content), ("b", content), ("c", content));
        Assert.Equal(
            ["Block 0.0", "Finish 0", "Block 1.0", "Finish 1", "Block 2.0", "Finish 2"],
            await RunAsync(
                plan,
                [
                    [0],
                ]
            )
        );
    }

    [Fact]
    public async Task A_small_block_that_several_files_start_with_waits_until_they_can_continue()
    {
        byte[] start = MadeVersion.Content(1, BlockSizeBytes);
        PassPlan plan = MadeVersion.PlanToCreate(
            ("a", [.. start, .. MadeVersion.Content(2, BlockSizeBytes)]),
            ("b", [.. start, .. MadeVersion.Content(3, BlockSizeBytes)])
        );
        Assert.Equal(
            ["Block 1.0", "Block 1.1", "Finish 1", "Block 0.0", "Block 0.1", "Finish 0"],
            await RunAsync(
                plan,
                [
                    [0],
                    [2],
                    [1],
                ]
            )
        );
    }

    [Fact]
    public async Task Files_that_need_no_volume_are_finished_before_any_block_has_come()
    {
        PassPlan plan = MadeVersion.PlanToCreate(("a", MadeVersion.Content(1, BlockSizeBytes)), ("empty", []));
        Assert.Equal(
            ["Finish 1", "Block 0.0", "Finish 0"],
            await RunAsync(
                plan,
                [
                    [0],
                ]
            )
        );
    }

    [Fact]
    public async Task Blocks_that_did_not_come_by_the_end_of_their_volume_are_missing_and_the_file_is_finished_without()
    {
        PassPlan plan = MadeVersion.PlanToCreate(
            ("a", MadeVersion.Content(1, 3 * BlockSizeBytes)),
            ("b", MadeVersion.Content(2, BlockSizeBytes))
        );
        Assert.Equal(
            ["Block 0.0", "Block 1.0", "Finish 1", "Block 0.2", "FinishIncomplete 0"],
            await RunAsync(
                plan,
                [
                    [0],
                    [2],
                    [3],
                ],
                new VolumeEnd(IsReadInPart: true, ["The volume is damaged"])
            )
        );

        Assert.Equal([new BlockId(1)], [.. tally.MissingBlocks]);
        Assert.Equal((1, 1), (tally.Done.Count, tally.DoneInPart.Count));
        Assert.Equal("The volume is damaged", Assert.Single(tally.Issues).Reason);
    }

    [Fact]
    public async Task A_block_that_comes_again_is_given_back()
    {
        PassPlan plan = MadeVersion.PlanToCreate(("a", MadeVersion.Content(1, 2 * BlockSizeBytes)));
        Assert.Equal(
            ["Block 0.0", "Block 0.1", "Finish 0"],
            await RunAsync(
                plan,
                [
                    [0],
                    [0, 0],
                    [1, 1],
                ]
            )
        );
    }

    [Fact]
    public async Task With_no_room_in_the_store_a_block_is_written_out_of_its_turn()
    {
        PassPlan plan = MadeVersion.PlanToCreate(("a", MadeVersion.Content(1, 3 * BlockSizeBytes)));
        Assert.Equal(
            ["Block 0.2", "Block 0.1", "Block 0.0", "Finish 0"],
            await RunAsync(
                plan,
                [
                    [2],
                    [1],
                    [0],
                ],
                storeBytes: 0
            )
        );
    }

    [Fact]
    public async Task A_block_that_is_evicted_goes_to_all_places_that_await_it()
    {
        byte[] shared = MadeVersion.Content(9, BlockSizeBytes);
        PassPlan plan = MadeVersion.PlanToCreate(
            ("a", [.. MadeVersion.Content(1, BlockSizeBytes), .. shared]),
            ("b", [.. MadeVersion.Content(2, BlockSizeBytes), .. shared])
        );
        Assert.Equal(
            ["Block 0.1", "Block 1.1", "Block 0.0", "Finish 0", "Block 1.0", "Finish 1"],
            await RunAsync(
                plan,
                [
                    [1],
                    [0],
                    [2],
                ],
                storeBytes: 0
            )
        );
    }

    [Theory]
    [InlineData(10)]
    [InlineData(50)]
    [InlineData(100)]
    public async Task The_store_keeps_to_its_limit_however_many_blocks_come_before_their_turn(int evictPercent)
    {
        const int Blocks = 500;
        const int Limit = 20 * BlockSizeBytes;
        PassPlan plan = MadeVersion.PlanToCreate(("a", MadeVersion.Content(1, Blocks * BlockSizeBytes)));
        List<string> sent = await RunAsync(
            plan,
            [.. Enumerable.Range(0, Blocks).Reverse().Select(block => new[] { block })],
            storeBytes: Limit,
            evictPercent: evictPercent
        );

        // The limit is checked after each message, which here is one block.
        Assert.InRange(peakStoreBytes, Limit, Limit + BlockSizeBytes);
        Assert.Equal(Blocks + 1, sent.Count);
        Assert.Equal(Enumerable.Range(0, Blocks).Select(block => $"Block 0.{block}").Order(), sent[..^1].Order());
    }

    [Fact]
    public async Task A_kept_block_owns_its_memory_and_does_not_pin_its_first_buffer()
    {
        PassPlan plan = MadeVersion.PlanToCreate(("a", MadeVersion.Content(1, 2 * BlockSizeBytes)));
        using WorkReader rig = new(this, plan, storeBytes: 1 << 20);
        PooledBuffer large = pool.Rent(1 << 20);
        BlocksExtracted batch = new(plan.Fetch.Volumes[0]);
        batch.Add(new BlockBytes(new BlockId(1), large, 5000, BlockSizeBytes, IsShared: true));
        await rig.SendAsync(batch);

        // The process works on this message after it is done with the one before.
        await rig.SendAsync(new BlocksExtracted(plan.Fetch.Volumes[0]));
        await rig.SendAsync(new BlocksExtracted(plan.Fetch.Volumes[0]));
        Assert.Throws<ObjectDisposedException>(() => large.Room);
        await rig.EndAsync();
    }

    [Fact]
    public async Task Much_work_comes_in_batches_of_some_mebibytes_and_a_thousand_items()
    {
        byte[] block = MadeVersion.Content(1, BlockSizeBytes);
        PassPlan plan = MadeVersion.PlanToCreate([
            .. Enumerable.Range(0, 10_000).Select(file => ($"{file:D5}", block)),
        ]);
        using WorkReader rig = new(this, plan, storeBytes: 1 << 20);
        await rig.SendAsync(Batch(plan, [0]));
        await rig.EndAsync();
        Assert.Equal(20_000, rig.BatchItems.Sum());
        Assert.All(rig.BatchItems, items => Assert.InRange(items, 1, 1025));
        Assert.InRange(rig.BatchItems.Count, 20, 21);
    }

    [Fact]
    public async Task When_the_FileProcessors_have_left_all_buffers_are_back()
    {
        PassPlan plan = MadeVersion.PlanToCreate(("a", MadeVersion.Content(1, 3 * BlockSizeBytes)));
        Channel<FileWork> output = new("FileWork", 1);
        using IWriteChannelEnd<FileWork> to = output.Writer();
        output.Reader().Dispose();
        Channel<BlocksExtracted> input = new("BlocksExtracted", 2);
        using IReadChannelEnd<BlocksExtracted> from = input.Reader();
        using (IWriteChannelEnd<BlocksExtracted> source = input.Writer())
        {
            await source.WriteAsync(Batch(plan, [2]));
            await source.WriteAsync(Batch(plan, [0]));
        }

        using BlockReferences lives = Lives(plan, storeBytes: 1 << 20, evictPercent: 50);
        using WorkBatches batches = new(new EntryOwners(plan, 1), [to]);
        await Assert.ThrowsAsync<RetiredException>(() =>
            new BlockManager(plan, lives, batches, tally).RunAsync(from).Soon()
        );
    }

    public void Dispose() => Assert.Equal(0, pool.OutstandingBuffers);

    private static string Name(WorkItem item)
    {
        string name = $"{item.Kind} {item.Entry.Value}";
        return item.Kind is WorkKind.Block ? $"{name}.{(item.Item.IsMetadata ? "m" : "")}{item.Item.Index}" : name;
    }

    private BlockReferences Lives(PassPlan plan, long storeBytes, int evictPercent) =>
        new(plan, new BlockStore(storeBytes, pool), evictPercent);

    /// <summary>
    /// Feeds batches of blocks, then the end of the volume; what comes out, item by item.
    /// </summary>
    private async Task<List<string>> RunAsync(
        PassPlan plan,
        int[][] batches,
        VolumeEnd? end = null,
        long storeBytes = 1 << 20,
        int evictPercent = 50
    )
    {
        using WorkReader rig = new(this, plan, storeBytes, evictPercent);
        foreach (int[] batch in batches)
        {
            await rig.SendAsync(Batch(plan, batch));
        }

        await rig.SendAsync(
            new BlocksExtracted(plan.Fetch.Volumes[0]) { End = end ?? new VolumeEnd(IsReadInPart: false, []) }
        );
        await rig.EndAsync();
        return rig.Items;
    }

    private BlocksExtracted Batch(PassPlan plan, int[] blocks)
    {
        BlocksExtracted batch = new(plan.Fetch.Volumes[0]);
        foreach (int block in blocks)
        {
            batch.Add(
                new BlockBytes(new BlockId(block), pool.Rent(BlockSizeBytes), 0, BlockSizeBytes, IsShared: false)
            );
        }

        return batch;
    }

    /// <summary>The process with a reader of its work.</summary>
    private sealed class WorkReader : IDisposable
    {
        private readonly IWriteChannelEnd<BlocksExtracted> source;
        private readonly Task running;

        public WorkReader(BlockManagerTests owner, PassPlan plan, long storeBytes, int evictPercent = 50)
        {
            ProcessNetwork network = new();
            Channel<BlocksExtracted> input = network.CreateChannel<BlocksExtracted>("BlocksExtracted", 1);
            Channel<FileWork> output = network.CreateChannel<FileWork>("FileWork", 1);
            source = input.Writer();
            network.AddStage(
                "BlockManager",
                1,
                input,
                output,
                async (from, to, _) =>
                {
                    using BlockReferences lives = owner.Lives(plan, storeBytes, evictPercent);
                    using WorkBatches batches = new(new EntryOwners(plan, 1), [to]);
                    await new BlockManager(plan, lives, batches, owner.tally).RunAsync(from);
                    owner.peakStoreBytes = lives.PeakStoreBytes;
                }
            );
            network.AddSink("Reader", 1, output, (from, _) => ReadAsync(from));
            running = network.RunAsync(TestContext.Current.CancellationToken);
        }

        public List<string> Items { get; } = [];

        public List<int> BatchItems { get; } = [];

        public Task SendAsync(BlocksExtracted batch) => source.WriteAsync(batch).Soon();

        public Task EndAsync()
        {
            source.Dispose();
            return running.Soon();
        }

        public void Dispose() => source.Dispose();

        private async Task ReadAsync(IReadChannelEnd<FileWork> input)
        {
            await foreach (FileWork work in input.ReadAllAsync())
            {
                using FileWork owned = work;
                BatchItems.Add(work.Count);
                while (work.TryTake(out WorkItem item))
                {
                    using WorkItem taken = item;
                    Items.Add(Name(item));
                }
            }
        }
    }
}
