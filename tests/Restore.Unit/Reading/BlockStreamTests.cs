using System.Collections.Concurrent;
using System.Security.Cryptography;
using Restore.Catalog;
using Restore.Memory;
using Restore.Reading;
using Restore.Tests.Csp;
using Restore.Volumes;

namespace Restore.Tests.Reading;

/// <summary>The block stream as a whole, read from outside of a network.</summary>
public sealed class BlockStreamTests : IDisposable
{
    private static readonly ReadingSettings Wide = new(4, false, 2, 2, 4, null);

    private readonly MadeVolumes made = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("plain-1mb")]
    [InlineData("aes-100kb")]
    [InlineData("blocklists-1kb")]
    [InlineData("tgz")]
    public async Task Every_block_of_a_real_backup_comes_once_and_is_what_its_hash_says(string fixture)
    {
        using MadeVolumes real = await MadeVolumes.OfFixtureAsync(fixture);
        FetchList list = real.List();
        ConcurrentQueue<BlockId> came = [];
        await real.Stream(Wide).ReadAsync(list, Take, Token);
        Assert.Equal(list.Blocks.Select(block => block.Value).Order(), came.Select(block => block.Value).Order());

        void Take(BlockId block, ReadOnlyMemory<byte> bytes)
        {
            Assert.Equal(real.Table.HashOf(block), SHA256.HashData(bytes.Span));
            came.Enqueue(block);
        }
    }

    [Fact]
    public async Task Volumes_come_in_the_order_of_the_list_and_each_is_read_once()
    {
        FetchList list = MakeVolumes(10);
        List<VolumeId> ends = [];
        List<BlockId> blocks = [];
        await made.Stream()
            .ReadBatchesAsync(
                list,
                (batch, _) =>
                {
                    blocks.AddRange(TakeAll(batch));
                    ends.AddRange(batch.End is null ? [] : [batch.Wanted.Volume.Id]);
                    return ValueTask.CompletedTask;
                },
                Token
            );

        Assert.Equal(list.Volumes.Select(wanted => wanted.Volume.Id), ends);
        Assert.Equal(list.Blocks, blocks);
        Assert.Equal(list.Volumes.Select(wanted => wanted.Volume.FileName), made.Store.Reads.Select(read => read.Name));
    }

    [Fact]
    public async Task No_more_volumes_are_in_memory_than_their_bytes_allow_however_long_the_consumer_takes()
    {
        // Stored blocks are used where they lie in the volume, so that each buffer is a volume.
        FetchList list = MakeVolumes(20, stored: true);
        BlockStream stream = made.Stream(
            Wide with
            {
                BytesInFlight = 3 * made.Volumes.Max(volume => volume.SizeBytes),
            }
        );
        int ended = 0;
        long most = 0;
        await stream.ReadBatchesAsync(
            list,
            async (batch, token) =>
            {
                // Time for the stages to run ahead, as far as they may.
                await Task.Delay(5, token);
                most = Math.Max(most, made.Pool.OutstandingBuffers);
                ended += batch.End is null ? 0 : 1;
            },
            Token
        );

        Assert.Equal(20, ended);
        Assert.InRange(most, 2, 3);
    }

    [Fact]
    public async Task A_lost_volume_ends_with_its_reason_and_the_others_come()
    {
        FetchList list = MakeVolumes(3);
        made.Store.Remove(made.Volumes[1].FileName);
        Dictionary<VolumeId, VolumeEnd> ends = [];
        List<BlockId> blocks = [];
        await made.Stream(Wide)
            .ReadBatchesAsync(
                list,
                (batch, _) =>
                {
                    blocks.AddRange(TakeAll(batch));
                    ends[batch.Wanted.Volume.Id] = batch.End ?? new VolumeEnd(false, []);
                    return ValueTask.CompletedTask;
                },
                Token
            );

        Assert.Equal(
            list.BlocksOf(list.Volumes[0])
                .ToArray()
                .Concat(list.BlocksOf(list.Volumes[2]).ToArray())
                .Select(block => block.Value),
            blocks.Select(block => block.Value).Order()
        );
        Assert.Equal([0, 1, 0], list.Volumes.Select(wanted => ends[wanted.Volume.Id].Defects.Count));
        Assert.Contains("is not there", Assert.Single(ends[made.Volumes[1].Id].Defects), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_block_with_a_wrong_hash_and_a_missing_block_do_not_come()
    {
        byte[][] three = [MadeVolumes.Block(1, 100), MadeVolumes.Block(2, 100), MadeVolumes.Block(3, 100)];
        Volume volume = made.Add(
            new Compression.ZipBuilder()
                .Add(MadeVolumes.NameOf(three[0]), three[0])
                .Add(MadeVolumes.NameOf(three[1]), three[2])
                .Finish()
        );
        BlockId[] ids = made.Want(volume, three);
        List<BlockId> blocks = [];
        await made.Stream().ReadAsync(made.List(), (block, _) => blocks.Add(block), Token);
        Assert.Equal([ids[0]], blocks);
    }

    [Fact]
    public async Task A_damaged_volume_gives_the_blocks_that_are_sound()
    {
        FetchList list = MakeVolumes(1, isEncrypted: true);
        made.Store[made.Volumes[0].FileName][3000] ^= 1;
        List<BlockId> blocks = [];
        VolumeEnd? end = null;
        await made.Stream()
            .ReadBatchesAsync(
                list,
                (batch, _) =>
                {
                    blocks.AddRange(TakeAll(batch));
                    end = batch.End ?? end;
                    return ValueTask.CompletedTask;
                },
                Token
            );

        Assert.InRange(blocks.Count, list.Blocks.Length - 2, list.Blocks.Length - 1);
        Assert.NotEmpty(end!.Defects);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Few_blocks_of_a_large_volume_cost_few_bytes_and_the_end_says_that_it_was_read_in_part(
        bool isEncrypted
    )
    {
        byte[][] blocks = [.. Enumerable.Range(0, 200).Select(seed => MadeVolumes.Block(seed, 5000))];
        Volume volume = made.Add(MadeVolumes.Zip(blocks), isEncrypted);
        made.Want(volume, blocks[100]);
        List<VolumeEnd> ends = [];
        int came = 0;
        await made.Stream(ranges: RangeReads.Auto)
            .ReadBatchesAsync(
                made.List(),
                (batch, _) =>
                {
                    came += TakeAll(batch).Count();
                    ends.AddRange(batch.End is null ? [] : [batch.End]);
                    return ValueTask.CompletedTask;
                },
                Token
            );

        Assert.Equal((1, true), (came, Assert.Single(ends).IsReadInPart));
        Assert.InRange(made.Store.BytesRead, 5000, volume.SizeBytes / 10);
    }

    [Fact]
    public async Task A_consumer_may_keep_blocks_for_later()
    {
        FetchList list = MakeVolumes(2);
        List<BlockBytes> kept = [];
        await made.Stream()
            .ReadBatchesAsync(
                list,
                (batch, _) =>
                {
                    if (batch.TryTake(out BlockBytes first))
                    {
                        kept.Add(first);
                    }

                    return ValueTask.CompletedTask;
                },
                Token
            );

        Assert.Equal(2, kept.Count);
        Assert.All(kept, block => Assert.Equal(made.Table.HashOf(block.Block), SHA256.HashData(block.Span)));
        kept.ForEach(block => block.Dispose());
    }

    [Fact]
    public async Task The_failure_of_the_consumer_ends_the_read_with_that_failure()
    {
        RestoreException failure = new(RestoreErrorCode.Unexpected, "The disk is full");
        Task reading = made.Stream(Wide).ReadBatchesAsync(MakeVolumes(10), (_, _) => throw failure, Token);
        Assert.Same(failure, await Record.ExceptionAsync(() => reading.Soon()));
        made.AssertBuffersBack();
    }

    [Fact]
    public async Task Cancellation_ends_the_read_and_all_buffers_are_back()
    {
        using CancellationTokenSource cancel = new();
        Task reading = made.Stream(Wide).ReadAsync(MakeVolumes(10), (_, _) => cancel.Cancel(), cancel.Token);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading.Soon());
        made.AssertBuffersBack();
    }

    [Fact]
    public async Task Any_number_of_reads_run_side_by_side()
    {
        FetchList list = MakeVolumes(5);
        BlockStream stream = made.Stream(Wide);
        int came = 0;
        await Task.WhenAll(
            Enumerable.Range(0, 8).Select(_ => stream.ReadAsync(list, (_, _) => Interlocked.Increment(ref came), Token))
        );
        Assert.Equal(8 * list.Blocks.Length, came);
    }

    [Fact]
    public async Task An_empty_list_reads_nothing()
    {
        await made.Stream().ReadAsync(made.List(), (_, _) => Assert.Fail("There is no block"), Token);
        Assert.Empty(made.Store.Reads);
    }

    public void Dispose() => made.Dispose();

    private static IEnumerable<BlockId> TakeAll(BlocksExtracted batch)
    {
        while (batch.TryTake(out BlockBytes block))
        {
            using BlockBytes owned = block;
            yield return block.Block;
        }
    }

    private FetchList MakeVolumes(int count, bool isEncrypted = false, bool stored = false)
    {
        for (int volume = 0; volume < count; volume++)
        {
            made.AddWanted(
                Enumerable.Range(0, 20).Select(block => MadeVolumes.Block((1000 * volume) + block, 2000)),
                isEncrypted,
                stored
            );
        }

        return made.List();
    }
}
