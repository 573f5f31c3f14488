using System.Security.Cryptography;
using Restore.Catalog;
using Restore.Memory;
using Restore.Reading;
using Restore.Tests.Compression;
using Restore.Tests.Csp;
using Restore.Volumes;

namespace Restore.Tests.Reading;

/// <summary>One process, fed with volumes in plain.</summary>
public sealed class VolumeDecompressorTests : IDisposable
{
    private static readonly byte[][] Three =
    [
        MadeVolumes.Block(1, 3000),
        MadeVolumes.Block(2, 3000),
        MadeVolumes.Block(3, 3000),
    ];

    private readonly MadeVolumes made = new();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Blocks_come_in_the_order_of_the_list_in_runs_of_a_mebibyte_and_the_last_run_takes_a_short_rest_along(
        bool stored
    )
    {
        byte[][] blocks = [.. Enumerable.Range(0, 1000).Select(seed => MadeVolumes.Block(seed, 3000))];
        Volume volume = made.Add(MadeVolumes.Zip(blocks, stored));
        made.Want(volume, [.. blocks.Reverse()]);

        List<BlocksExtracted> batches = await ExtractAsync(made.List());

        Assert.Equal([350, 650, 0], batches.Select(batch => batch.Count));
        Assert.Equal([false, false, true], batches.Select(batch => batch.End is not null));
        Assert.Equal(blocks.Reverse().Select(Hash), Take(batches));
        Assert.Empty(batches[^1].End!.Defects);
    }

    [Fact]
    public async Task Of_a_tar_stream_blocks_come_in_the_order_of_the_stream()
    {
        using MadeVolumes tar = await MadeVolumes.OfFixtureAsync("tgz");
        FetchList list = tar.List();
        List<BlocksExtracted> batches = await ExtractAsync(list, tar);
        Assert.Equal(
            list.Blocks.Select(block => Convert.ToHexString(tar.Table.HashOf(block))).Order(),
            Take(batches).Order()
        );
    }

    [Fact]
    public async Task Blocks_that_are_not_needed_are_left_out_and_a_repeated_block_comes_once()
    {
        ZipBuilder zip = new();
        foreach (byte[] block in (byte[][])[Three[0], Three[1], Three[1], Three[2]])
        {
            zip.Add(MadeVolumes.NameOf(block), block);
        }

        made.Want(made.Add(zip.Finish()), Three[2], Three[1]);
        Assert.Equal([Hash(Three[2]), Hash(Three[1])], Take(await ExtractAsync(made.List())));
    }

    [Fact]
    public async Task A_block_that_the_volume_lacks_does_not_come_and_is_not_a_defect_of_the_volume()
    {
        made.Want(made.Add(MadeVolumes.Zip(Three[..2])), Three);
        List<BlocksExtracted> batches = await ExtractAsync(made.List());

        Assert.Equal([Hash(Three[0]), Hash(Three[1])], Take(batches));
        Assert.Empty(batches[^1].End!.Defects);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_block_that_is_not_what_its_name_says_does_not_come(bool stored)
    {
        made.Want(made.Add(Lying(stored)), Three);
        Assert.Equal([Hash(Three[0]), Hash(Three[2])], Take(await ExtractAsync(made.List())));
    }

    [Fact]
    public async Task A_block_that_is_left_to_its_file_hash_is_not_verified()
    {
        made.Want(made.Add(Lying(stored: false)), Three);
        Assert.Equal(
            [Hash(Three[0]), Hash(new byte[3000]), Hash(Three[2])],
            Take(await ExtractAsync(made.List(new BitSet(3))))
        );
    }

    [Fact]
    public async Task Every_block_of_a_volume_with_a_defect_is_verified_by_its_own_hash()
    {
        byte[] archive = Lying(stored: false);
        made.Want(made.Add(archive[..^1]), Three);
        List<BlocksExtracted> batches = await ExtractAsync(made.List(new BitSet(3)));

        Assert.Equal([Hash(Three[0]), Hash(Three[2])], Take(batches));
        Assert.Equal(
            "The directory of the archive is damaged; its entries were found one by one",
            Assert.Single(batches[^1].End!.Defects)
        );
    }

    [Fact]
    public async Task The_entries_of_an_archive_without_a_directory_are_found_one_by_one()
    {
        ZipBuilder zip = new();
        Array.ForEach(Three, block => zip.Add(MadeVolumes.NameOf(block), block));
        made.Want(made.Add(zip.WithoutDirectory), Three);
        List<BlocksExtracted> batches = await ExtractAsync(made.List());

        Assert.Equal(Three.Select(Hash), Take(batches));
        Assert.Single(batches[^1].End!.Defects);
    }

    [Fact]
    public async Task A_file_that_is_not_an_archive_has_no_blocks_and_a_reason()
    {
        made.Want(made.Add(MadeVolumes.Block(9, 5000)), Three);
        BlocksExtracted end = Assert.Single(await ExtractAsync(made.List()));
        Assert.Contains("zip", Assert.Single(end.End!.Defects), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_entry_that_cannot_be_decoded_is_named_and_the_others_come()
    {
        ZipBuilder zip = new();
        zip.Add(MadeVolumes.NameOf(Three[0]), Three[0], encrypted: true)
            .Add(MadeVolumes.NameOf(Three[1]), Three[1], encrypted: true)
            .Add(MadeVolumes.NameOf(Three[2]), Three[2]);
        made.Want(made.Add(zip.Finish()), Three);
        List<BlocksExtracted> batches = await ExtractAsync(made.List());

        Assert.Equal([Hash(Three[2])], Take(batches));
        Assert.Equal(
            [true, true],
            batches[^1]
                .End!.Defects.Select(
                    (defect, i) => defect.Contains(MadeVolumes.NameOf(Three[i]), StringComparison.Ordinal)
                )
        );
    }

    [Fact]
    public async Task The_failure_of_a_volume_is_how_it_ends()
    {
        made.AddWanted(Three);
        FetchList list = made.List();
        VolumeDecrypted lost = new(list.Volumes[0], volume: null, new IssueReason("The volume is gone"));
        BlocksExtracted end = Assert.Single(await FeedAsync([lost], list, made));
        Assert.Equal((0, "The volume is gone"), (end.Count, Assert.Single(end.End!.Defects)));
    }

    [Fact]
    public async Task A_large_block_has_a_buffer_of_its_own_and_small_ones_share_one()
    {
        made.AddWanted([MadeVolumes.Block(1, 64 << 10), .. Three]);
        List<BlocksExtracted> batches = await ExtractAsync(made.List());

        BlockBytes[] blocks = [.. TakeBlocks(batches)];
        Assert.Equal([false, true, true, true], blocks.Select(block => block.IsShared));
        Assert.Equal([0, 0, 3000, 6000], blocks.Select(block => block.Offset));
        Assert.Equal(2, blocks.Select(block => block.Buffer).Distinct().Count());
        Array.ForEach(blocks, block => block.Dispose());
    }

    [Fact]
    public async Task A_stored_block_is_used_in_place_and_keeps_its_volume_alive()
    {
        VolumeCredit credit = new(1000);
        made.AddWanted(Three, stored: true);
        FetchList list = made.List();
        FetchedVolume volume = await made.FetchAsync(made.Volumes[0]);
        volume.Attach(await credit.TakeAsync(1000, default));
        await volume.DecryptAsync(default);
        BlockBytes[] blocks =
        [
            .. TakeBlocks(await FeedAsync([new VolumeDecrypted(list.Volumes[0], volume, failure: null)], list, made)),
        ];

        Assert.All(blocks, block => Assert.Equal((blocks[0].Buffer, true), (block.Buffer, block.IsShared)));
        Assert.Equal(Three.Select(Hash), blocks.Select(block => Hash(block.Span.ToArray())));
        Task<VolumeCredit.Share> next = credit.TakeAsync(1000, default).AsTask();
        Array.ForEach(blocks[1..], block => block.Dispose());
        Assert.False(next.IsCompleted);
        blocks[0].Dispose();
        (await next.Soon()).Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_part_of_a_volume_gives_the_same_blocks_and_its_end_says_that_it_is_a_part(bool isEncrypted)
    {
        made.Want(made.Add(MadeVolumes.Zip([MadeVolumes.Block(9, 50_000), .. Three]), isEncrypted), Three);
        FetchList list = made.List();
        SparseVolume sparse = await SparseVolume.OpenAsync(
            made.Loader,
            made.Volumes[0],
            new RangePolicy(RangeReads.Always, 0),
            default
        );
        FetchedEntries entries = (await sparse.TryFetchAsync([.. sparse.Entries.ToArray().Skip(1)], default))!;
        FetchedVolume part = new(made.Volumes[0], entries, source: sparse, sourceBytes: 0);
        await part.DecryptAsync(default);
        List<BlocksExtracted> batches = await FeedAsync(
            [new VolumeDecrypted(list.Volumes[0], part, failure: null)],
            list,
            made
        );

        Assert.Equal(Three.Select(Hash), Take(batches));
        Assert.True(batches[^1].End!.IsReadInPart);
    }

    [Fact]
    public async Task When_nobody_reads_any_more_all_buffers_are_back()
    {
        made.AddWanted(Enumerable.Range(0, 2000).Select(seed => MadeVolumes.Block(seed, 3000)));
        FetchList list = made.List();
        Restore.Csp.Channel<BlocksExtracted> output = new("BlocksExtracted", 1);
        using Restore.Csp.IWriteChannelEnd<BlocksExtracted> to = output.Writer();
        Restore.Csp.IReadChannelEnd<BlocksExtracted> reader = output.Reader();
        Restore.Csp.Channel<VolumeDecrypted> input = new("VolumeDecrypted", 1);
        using Restore.Csp.IReadChannelEnd<VolumeDecrypted> from = input.Reader();
        using Restore.Csp.IWriteChannelEnd<VolumeDecrypted> source = input.Writer();
        await source.WriteAsync(
            new VolumeDecrypted(list.Volumes[0], await made.DecryptAsync(made.Volumes[0]), failure: null)
        );

        Task running = new VolumeDecompressor(made.Loader, list).RunAsync(from, to, default);
        (await reader.ReadAsync().Soon()).Dispose();
        reader.Dispose();
        await Assert.ThrowsAsync<Restore.Csp.RetiredException>(() => running.Soon());
        made.AssertBuffersBack();
    }

    public void Dispose() => made.Dispose();

    private static string Hash(byte[] block) => Convert.ToHexString(SHA256.HashData(block));

    /// <summary>The second of three blocks is zeros under the name of another.</summary>
    private static byte[] Lying(bool stored) =>
        new ZipBuilder()
            .Add(MadeVolumes.NameOf(Three[0]), Three[0], stored)
            .Add(MadeVolumes.NameOf(Three[1]), new byte[3000], stored)
            .Add(MadeVolumes.NameOf(Three[2]), Three[2], stored)
            .Finish();

    private static IEnumerable<BlockBytes> TakeBlocks(List<BlocksExtracted> batches)
    {
        foreach (BlocksExtracted batch in batches)
        {
            while (batch.TryTake(out BlockBytes block))
            {
                yield return block;
            }
        }
    }

    /// <summary>Hashes of the bytes that came, in order; gives the blocks back.</summary>
    private static List<string> Take(List<BlocksExtracted> batches)
    {
        List<string> hashes = [];
        foreach (BlockBytes block in TakeBlocks(batches))
        {
            using BlockBytes owned = block;
            hashes.Add(Hash(block.Span.ToArray()));
        }

        return hashes;
    }

    private static Task<List<BlocksExtracted>> FeedAsync(
        IEnumerable<VolumeDecrypted> volumes,
        FetchList list,
        MadeVolumes made
    ) =>
        Feeding.FeedAsync<VolumeDecrypted, BlocksExtracted>(
            volumes,
            new VolumeDecompressor(made.Loader, list).RunAsync
        );

    private Task<List<BlocksExtracted>> ExtractAsync(FetchList list) => ExtractAsync(list, made);

    private static async Task<List<BlocksExtracted>> ExtractAsync(FetchList list, MadeVolumes made)
    {
        List<VolumeDecrypted> volumes = [];
        foreach (WantedVolume wanted in list.Volumes)
        {
            volumes.Add(new VolumeDecrypted(wanted, await made.DecryptAsync(wanted.Volume), failure: null));
        }

        return await FeedAsync(volumes, list, made);
    }
}
